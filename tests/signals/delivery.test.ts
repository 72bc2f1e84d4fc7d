import type { ServerResponse } from 'node:http';
import { clientNotes } from '@candela/contract/rules/client-notes';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUSH, type Receivers, startReceivers } from './receivers.ts';

let receivers: Receivers;
beforeAll(async () => {
  receivers = await startReceivers();
});
afterAll(() => receivers?.close());

const take = (answer: ServerResponse) => void answer.writeHead(202).end();
const fail = (answer: ServerResponse) => void answer.writeHead(503).end();

/** A receiver that is pushed to; takes everything unless `reply` says otherwise. */
const startPush = async (reply: (answer: ServerResponse) => void = take) => {
  const receiver = await receivers.register();
  receivers.replyAt(receiver.path, reply);
  const delivery = { method: PUSH, endpoint_url: receiver.endpoint };
  const { stream_id: id } = await receivers.createStream(receiver, { delivery });
  const outcomes = async () => (await receivers.rowsOf(id)).map(({ outcome }) => outcome);
  return {
    ...receiver,
    id,
    outcomes,
    untilSettled: () =>
      expect
        .poll(async () => (await receivers.rowsOf(id)).filter(({ settled_at }) => settled_at === null))
        .toEqual([]),
    untilTried: () =>
      expect
        .poll(async () => (await receivers.rowsOf(id)).filter(({ outcome }) => outcome !== null).length)
        .toBeGreaterThan(0),
    /** The ids of what came, in its order. */
    received: async () =>
      Promise.all(
        receivers.receivedAt(receiver.path).map(async ({ body }) => {
          const { jti } = await receivers.readSet(body, receiver.clientId);
          return jti;
        }),
      ),
    /** Lets the pauses of what waits be over. */
    pass: () =>
      receivers.world.db
        .updateTable('signal')
        .set({ due_at: sql<Date>`now()` })
        .where('stream_id', '=', id)
        .where('settled_at', 'is', null)
        .execute(),
  };
};

const streamOf = (id: string) =>
  receivers.world.db.selectFrom('signal_stream').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('the order of one account', () => {
  test('is kept when the first try fails, and nobody else waits', async () => {
    const stream = await startPush(fail);
    const jtis = await receivers.addSignals(stream.id, [
      { accountId: 'ada' },
      { accountId: 'ada' },
      { accountId: 'bob' },
      { accountId: 'ada' },
    ]);
    await expect.poll(() => receivers.receivedAt(stream.path).length).toBeGreaterThanOrEqual(2);
    await expect.poll(async () => (await stream.outcomes()).filter(Boolean).length).toBe(2);
    expect((await stream.received()).toSorted()).toEqual([jtis[0], jtis[2]].toSorted());
    receivers.replyAt(stream.path, take);
    await stream.pass();
    await stream.untilSettled();
    const all = await stream.received();
    expect(all.slice(2).filter((jti) => jti !== jtis[2])).toEqual([jtis[0], jtis[1], jtis[3]]);
  });

  test('delays nobody with a thousand signals', async () => {
    const stream = await startPush();
    const other = await startPush();
    await receivers.addSignals(
      stream.id,
      Array.from({ length: 1_000 }, () => ({ accountId: 'ada' })),
    );
    await receivers.addSignals(stream.id, [{ accountId: 'bob' }]);
    await receivers.addSignals(other.id, [{ accountId: 'ada' }]);
    await other.untilSettled();
    await expect.poll(async () => (await receivers.rowsOf(stream.id)).at(-1)?.outcome).toBe('told');
    expect(
      (await receivers.rowsOf(stream.id)).filter(({ settled_at }) => settled_at === null).length,
    ).toBeGreaterThan(100);
    await stream.call('DELETE', `/ssf/streams?stream_id=${stream.id}`);
  });
});

test('SG3: a receiver that works waits for none of those that have hung for long', async () => {
  const hang = () => undefined;
  const dead = await Promise.all(Array.from({ length: 10 }, () => startPush(hang)));
  const stream = await startPush();
  await receivers.world.db
    .updateTable('signal_stream')
    .set({ failing_since: sql<Date>`now()` })
    .where('id', '<>', stream.id)
    .execute();
  for (const { id } of dead)
    await receivers.addSignals(
      id,
      Array.from({ length: 8 }, (_, index) => ({ accountId: `account ${index}` })),
    );
  await expect
    .poll(() => dead.filter(({ path }) => receivers.receivedAt(path).length > 0).length)
    .toBeGreaterThan(7);
  await receivers.addSignals(stream.id, [{ accountId: 'ada' }]);
  await stream.untilSettled();
  // The first tries of all the others hang still.
  for (const { outcomes } of dead) expect((await outcomes()).filter(Boolean)).toEqual([]);
  for (const { call, id } of dead) await call('DELETE', `/ssf/streams?stream_id=${id}`);
});

describe('a receiver that answers', () => {
  test.each([
    ['invalid_request', 'refused', false],
    ['invalid_audience', 'refused', false],
    ['authentication_failed', 'not_taken', true],
    ['access_denied', 'not_taken', true],
  ])('400 with %s: %s', async (err, outcome, waits) => {
    const stream = await startPush((answer) => {
      answer.writeHead(400, { 'content-type': 'application/json' });
      answer.end(JSON.stringify({ err, description: 'as it says' }));
    });
    await receivers.addSignals(stream.id, [{ accountId: 'ada' }]);
    await stream.untilTried();
    const [row] = await receivers.rowsOf(stream.id);
    expect(row).toMatchObject({ outcome, outcome_status: 400, outcome_detail: `${err} as it says` });
    expect(row?.settled_at === null).toBe(waits);
  });

  test.each<[string, (answer: ServerResponse) => void]>([
    [
      '400 with another content type',
      (answer) => answer.writeHead(400, { 'content-type': 'text/html' }).end('{"err":"invalid_request"}'),
    ],
    [
      '400 with 10 MB',
      (answer) => answer.writeHead(400, { 'content-type': 'application/json' }).end('x'.repeat(10_485_760)),
    ],
    [
      '400 with what is no JSON',
      (answer) => answer.writeHead(400, { 'content-type': 'application/json' }).end('{ broken'),
    ],
    ['a redirect', (answer) => answer.writeHead(307, { location: 'https://127.0.0.1/' }).end()],
    ['an error', fail],
    ['nothing', (answer) => answer.destroy()],
  ])('%s is tried again', async (_what, reply) => {
    const stream = await startPush(reply);
    await receivers.addSignals(stream.id, [{ accountId: 'ada' }]);
    await stream.untilTried();
    expect(await receivers.rowsOf(stream.id)).toMatchObject([
      { outcome: 'not_taken', settled_at: null, attempts: 1 },
    ]);
    await expect.poll(async () => (await streamOf(stream.id)).failing_since).not.toBeNull();
    receivers.replyAt(stream.path, take);
    await stream.pass();
    await stream.untilSettled();
    await expect.poll(async () => (await streamOf(stream.id)).failing_since).toBeNull();
    expect(new Set(await stream.received()).size).toBe(1);
  });

  test('SG3: endlessly is read no further than its status', async () => {
    const hungUp = Promise.withResolvers<void>();
    const stream = await startPush((answer) => {
      answer.on('close', hungUp.resolve);
      answer.writeHead(202);
      const pour = () => {
        while (!answer.destroyed && answer.write('x'.repeat(65_536)));
      };
      answer.on('drain', pour);
      pour();
    });
    await receivers.addSignals(stream.id, [{ accountId: 'ada' }]);
    await Promise.all([hungUp.promise, stream.untilSettled()]);
  });

  test('not at all is let go after five seconds', async () => {
    const stream = await startPush(() => undefined);
    await receivers.addSignals(stream.id, [{ accountId: 'ada' }]);
    await stream.untilTried();
    expect(await stream.outcomes()).toEqual(['timed_out']);
  });

  test('from an address that became private is not called', async () => {
    const stream = await startPush();
    await receivers.world.db
      .updateTable('signal_stream')
      .set({ endpoint_url: 'https://localhost/' })
      .where('id', '=', stream.id)
      .execute();
    await receivers.addSignals(stream.id, [{ accountId: 'ada' }]);
    await stream.untilTried();
    expect((await receivers.rowsOf(stream.id))[0]?.outcome_detail).toContain('no public address');
  });
});

describe('a receiver that is down', () => {
  test('for seven days has its stream paused, is told so, and loses nothing when it is back', async () => {
    const stream = await startPush(fail);
    const { world } = receivers;
    const jtis = await receivers.addSignals(stream.id, [{ accountId: 'ada' }, { accountId: 'ada' }]);
    await stream.untilTried();
    expect((await streamOf(stream.id)).status).toBe('enabled');
    await world.db
      .updateTable('signal_stream')
      .set({ failing_since: sql<Date>`now() - interval '7 days'` })
      .where('id', '=', stream.id)
      .execute();
    await stream.pass();
    await expect.poll(async () => (await streamOf(stream.id)).status).toBe('paused');
    expect(world.countEvent('signal.parked')).toBe(1);
    const status = await stream.call('GET', `/ssf/status?stream_id=${stream.id}`);
    expect(status.json()).toMatchObject({ status: 'paused', reason: expect.stringContaining('7 days') });

    receivers.replyAt(stream.path, take);
    await stream.pass();
    await expect.poll(async () => (await stream.outcomes()).at(-1)).toBe('told');
    const last = receivers.receivedAt(stream.path).at(-1);
    const claims = await receivers.readSet(last?.body ?? '', stream.clientId);
    expect(Object.entries(claims.events)[0]).toEqual([
      'https://schemas.openid.net/secevent/ssf/event-type/stream-updated',
      expect.objectContaining({ status: 'paused' }),
    ]);
    const later = await receivers.addSignals(stream.id, [{ accountId: 'ada' }]);
    expect((await receivers.rowsOf(stream.id)).filter(({ settled_at }) => settled_at !== null)).toHaveLength(
      1,
    );

    await stream.call('POST', '/ssf/status', { stream_id: stream.id, status: 'enabled' });
    await stream.untilSettled();
    // Each at least once: a slow answer brings one again.
    const all = await stream.received();
    expect([...new Set(all.slice(all.lastIndexOf(claims.jti) + 1))]).toEqual([...jtis, ...later]);
  });
});

describe('a webhook', () => {
  test('has the headers of Standard Webhooks, and both signatures while its secret turns over', async () => {
    const { world } = receivers;
    const { agent } = await world.signUpDeveloper();
    const made = await agent.post('/api/clients', {
      preset: 'web',
      name: 'Lamp Post',
      redirect_uris: ['https://lamp.example/callback'],
    });
    const { client_id: clientId } = made.json().client;
    const path = `/api/clients/${clientId}/stream`;
    expect((await agent.get(path)).json()).toEqual({ stream: null, deliveries: [] });
    const endpointUrl = `https://${receivers.host}/webhook`;
    const put = (json: object) => agent.request('PUT', path, { json });
    const events = ['session-revoked', 'link-ended', 'unknown'];
    const set = await put({ deliveryMethod: 'webhook', endpointUrl, events });
    const { stream } = set.json();
    expect(stream).toMatchObject({ deliveryMethod: 'webhook', endpointUrl, events: events.slice(0, 2) });
    const secretOf = async () => (await agent.post(`${path}/secret`)).json().secret;
    const secrets = [await secretOf(), await secretOf()];
    receivers.replyAt('/webhook', (answer) => answer.writeHead(204).end());
    const [jti] = await receivers.addSignals(stream.id, [
      { accountId: 'ada', sid: 'of-the-client', payload: { reason_admin: { en: 'why' } } },
    ]);
    const [received] = await receivers.untilReceived('/webhook');
    const headers = received?.request.headers ?? {};
    // A library that nobody here wrote takes it by either secret while the new one takes over.
    const verifyBy = (secret: string) =>
      new Webhook(secret).verify(received?.body ?? '', headers as Record<string, string>);
    for (const secret of secrets) expect(verifyBy(secret)).toMatchObject({ type: 'session-revoked' });
    expect(() => verifyBy(`whsec_${Buffer.alloc(32).toString('base64')}`)).toThrow();
    expect(headers['webhook-id']).toBe(jti);
    expect(JSON.parse(received?.body ?? '')).toEqual({
      type: 'session-revoked',
      timestamp: expect.any(String),
      data: { iss: world.origin, sub: 'ada', sid: 'of-the-client', reason_admin: { en: 'why' } },
    });

    const deliveries = async () => (await agent.get(path)).json().deliveries;
    await expect.poll(deliveries).toMatchObject([
      {
        id: jti,
        event: 'session-revoked',
        outcome: 'told',
        status: 204,
        attempts: 1,
        ms: expect.any(Number),
      },
    ]);
    expect((await agent.post(`${path}/replay`, { id: jti })).status).toBe(202);
    const [, again] = await receivers.untilReceived('/webhook', 2);
    expect(again?.request.headers['webhook-id']).toBe(jti);
    expect((await agent.post(`${path}/test`)).status).toBe(202);
    const [, , tested] = await receivers.untilReceived('/webhook', 3);
    expect(JSON.parse(tested?.body ?? '')).toMatchObject({
      type: 'verification',
      data: { iss: world.origin },
    });
    await expect
      .poll(async () => (await agent.get(path)).json().stream.verifiedAt)
      .toEqual(expect.any(String));

    // Another developer finds no client, and a wrong endpoint changes nothing.
    const { agent: other } = await world.signUpDeveloper();
    for (const [method, below] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/secret'],
    ] as const)
      expect((await other.request(method, path + below)).status).toBe(404);
    const inside = await put({ deliveryMethod: 'push', endpointUrl: 'https://10.0.0.1/', events });
    expect(inside.json().error).toMatchObject({ code: 'uri_host_refused' });
    expect((await put({ deliveryMethod: 'google', events })).status).toBe(400);
    expect((await put({ deliveryMethod: 'poll', events })).json().stream.endpointUrl).toContain('/ssf/poll/');
    expect((await agent.post(`${path}/secret`)).json().error.code).toBe('stream_not_webhook');
    const history = (await agent.get(`/api/clients/${clientId}/history`)).json().items;
    expect(history[0]).toMatchObject({ action: 'updated', changes: [{ field: 'signals', note: 'poll' }] });
    expect((await agent.request('DELETE', path)).status).toBe(204);
    const [last] = (await agent.get(`/api/clients/${clientId}/history`)).json().items;
    expect(last.changes).toEqual([{ field: 'signals', note: clientNotes.removed }]);
    expect((await agent.post(`${path}/test`)).status).toBe(404);
  });
});
