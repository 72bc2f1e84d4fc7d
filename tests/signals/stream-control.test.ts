import { testDatabaseUrl } from '@candela/server/testing/databases';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/user-agent.ts';
import { untilLockWaits } from '../support/waiting-for-lock.ts';
import {
  CREDENTIAL_CHANGE,
  createCalls,
  POLL,
  PUSH,
  type Receiver,
  type Receivers,
  SESSION_REVOKED,
  startReceivers,
} from './receivers.ts';

let receivers: Receivers;
beforeAll(async () => {
  receivers = await startReceivers();
});
afterAll(() => receivers?.close());

const codeOf = ({ status, json }: Answer) => [status, json().error.code];
const challengeOf = ({ status, headers }: Answer) => [
  status,
  String(headers['www-authenticate'])
    .replace(/ realm="[^"]*",? ?/, ' ')
    .trim(),
];

describe('openid-ssf-transmitter-metadata', () => {
  test('the metadata of the transmitter are complete, below its issuer, and open to anyone', async () => {
    const { world } = receivers;
    const answer = await createCalls(world, undefined)('GET', '/.well-known/ssf-configuration');
    expect(answer.headers['content-type']).toContain('application/json');
    const { authorization_schemes, delivery_methods_supported, ...metadata } = answer.json();
    expect(authorization_schemes).toEqual([{ spec_urn: 'urn:ietf:rfc:6749' }]);
    expect(delivery_methods_supported).toEqual([PUSH, POLL]);
    expect(metadata).toMatchObject({ spec_version: '1_0', issuer: world.origin, default_subjects: 'ALL' });
    const urls = Object.entries(metadata).filter(([name]) => /_endpoint$|_uri$/.test(name));
    expect(urls).toHaveLength(6);
    expect(urls.filter(([, url]) => !String(url).startsWith(`${world.origin}/`))).toEqual([]);
  });
});

describe('openid-ssf-stream-control-happy-path', () => {
  test('a stream is created, read, updated, replaced and deleted', async () => {
    const receiver = await receivers.register();
    const { call, clientId, endpoint } = receiver;
    expect((await call('GET', '/ssf/streams')).json()).toEqual([]);
    const created = await receivers.createStream(receiver, {
      delivery: { method: PUSH, endpoint_url: endpoint, authorization_header: 'Bearer of-the-receiver' },
      events_requested: [SESSION_REVOKED, CREDENTIAL_CHANGE, 'https://unknown.example/event'],
      description: 'Lamps',
      unknown: { member: 1 },
    });
    expect(created).toMatchObject({
      iss: receivers.world.origin,
      aud: clientId,
      delivery: { method: PUSH, endpoint_url: endpoint },
      events_requested: [SESSION_REVOKED, CREDENTIAL_CHANGE, 'https://unknown.example/event'],
      events_delivered: [SESSION_REVOKED, CREDENTIAL_CHANGE],
      description: 'Lamps',
    });
    const { stream_id: id } = created;
    expect((await call('GET', `/ssf/streams?stream_id=${id}`)).json()).toEqual(created);
    expect((await call('GET', '/ssf/streams')).json()).toEqual([created]);

    const patched = await call('PATCH', '/ssf/streams', {
      stream_id: id,
      iss: created.iss,
      events_delivered: [CREDENTIAL_CHANGE, SESSION_REVOKED],
      events_requested: [SESSION_REVOKED],
    });
    expect(patched.json()).toEqual({
      ...created,
      events_requested: [SESSION_REVOKED],
      events_delivered: [SESSION_REVOKED],
    });

    const replaced = await call('PUT', '/ssf/streams', { stream_id: id, delivery: { method: POLL } });
    const { description: _gone, ...rest } = created;
    expect(replaced.json()).toEqual({
      ...rest,
      events_requested: created.events_supported,
      events_delivered: created.events_supported,
      delivery: { method: POLL, endpoint_url: expect.stringContaining(id) },
    });
    expect((await call('GET', `/ssf/streams?stream_id=${id}`)).json()).toEqual(replaced.json());

    expect((await call('DELETE', `/ssf/streams?stream_id=${id}`)).status).toBe(204);
    expect((await call('GET', '/ssf/streams')).json()).toEqual([]);
  });

  test('a stream without delivery is polled (section 8.1.1.1)', async () => {
    const stream = await receivers.createStream(await receivers.register());
    expect(stream.delivery.method).toBe(POLL);
  });

  test('its status is read and set, with the reason', async () => {
    const receiver = await receivers.register();
    const { stream_id } = await receivers.createStream(receiver);
    const read = () => receiver.call('GET', `/ssf/status?stream_id=${stream_id}`);
    expect((await read()).json()).toEqual({ stream_id, status: 'enabled' });
    for (const status of ['paused', 'disabled', 'enabled']) {
      const change = { stream_id, status, reason: `it is ${status}` };
      const answer = await receiver.call('POST', '/ssf/status', change);
      expect([answer.status, answer.json()]).toEqual([200, change]);
      expect((await read()).json()).toEqual(change);
    }
    // What the receiver does it need not be told.
    expect(await receivers.rowsOf(stream_id)).toEqual([]);
  });

  test('the header of a push goes to no endpoint but its own', async () => {
    const receiver = await receivers.register();
    const delivery = { method: PUSH, endpoint_url: receiver.endpoint };
    const secret = { ...delivery, authorization_header: 'Bearer of-the-receiver' };
    const { stream_id } = await receivers.createStream(receiver, { delivery: secret });
    const sealed = async () => {
      const row = await receivers.world.db
        .selectFrom('signal_stream')
        .select('authorization_header_sealed as header')
        .where('id', '=', stream_id)
        .executeTakeFirstOrThrow();
      return row.header;
    };
    const before = await sealed();
    expect(before).not.toContain('of-the-receiver');
    await receiver.call('PATCH', '/ssf/streams', { stream_id, delivery });
    expect(await sealed()).toBe(before);
    const elsewhere = { ...delivery, endpoint_url: `${receiver.endpoint}/elsewhere` };
    await receiver.call('PATCH', '/ssf/streams', { stream_id, delivery: elsewhere });
    expect(await sealed()).toBeNull();
  });
});

describe('openid-ssf-stream-control-error-path', () => {
  let receiver: Receiver;
  let streamId: string;
  let others: string;
  beforeAll(async () => {
    receiver = await receivers.register();
    const other = await receivers.register();
    streamId = (await receivers.createStream(receiver)).stream_id;
    others = (await receivers.createStream(other)).stream_id;
  });

  test('a second stream of a receiver is 409', async () => {
    expect(codeOf(await receiver.call('POST', '/ssf/streams', {}))).toEqual([409, 'stream_exists']);
  });

  test('an unknown stream, and that of another client, are 404 at every endpoint', async () => {
    const subject = { format: 'iss_sub', iss: receivers.world.origin, sub: 'somebody' };
    for (const stream_id of ['unknown', others]) {
      const answers = await Promise.all([
        receiver.call('GET', `/ssf/streams?stream_id=${stream_id}`),
        receiver.call('PATCH', '/ssf/streams', { stream_id }),
        receiver.call('PUT', '/ssf/streams', { stream_id }),
        receiver.call('DELETE', `/ssf/streams?stream_id=${stream_id}`),
        receiver.call('GET', `/ssf/status?stream_id=${stream_id}`),
        receiver.call('POST', '/ssf/status', { stream_id, status: 'paused' }),
        receiver.call('POST', '/ssf/verify', { stream_id }),
        receiver.call('POST', '/ssf/subjects/add', { stream_id, subject }),
        receiver.call('POST', '/ssf/subjects/remove', { stream_id, subject }),
        receiver.call('POST', `/ssf/poll/${stream_id}`, { returnImmediately: true }),
      ]);
      expect(answers.map(codeOf)).toEqual(Array(answers.length).fill([404, 'not_found']));
    }
    expect(await receivers.rowsOf(others)).toEqual([]);
  });

  test.skipIf(!testDatabaseUrl)('a subject that is named while its stream is deleted is 404', async () => {
    const { world } = receivers;
    const { agent, identifier: email } = await world.signUp();
    const doomed = await receivers.register();
    await world.link(agent, doomed.rp, { scope: 'openid email' });
    const { stream_id } = await receivers.createStream(doomed);
    const { answer } = await world.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('signal_stream').where('id', '=', stream_id).execute();
      const subject = { format: 'email', email };
      const asked = doomed.call('POST', '/ssf/subjects/remove', { stream_id, subject });
      // It waits for the stream.
      await untilLockWaits(world.db);
      return { answer: asked };
    });
    expect(codeOf(await answer)).toEqual([404, 'not_found']);
  });

  test('a delete or a status that names no stream is 404', async () => {
    expect((await receiver.call('DELETE', '/ssf/streams')).status).toBe(404);
    expect((await receiver.call('GET', '/ssf/status')).status).toBe(404);
  });

  test('a body that is no JSON, or not of the form, is 400', async () => {
    const raw = {
      headers: { ...(await receiver.headers()), 'content-type': 'application/json' },
      raw: '{ broken',
    };
    for (const [method, path] of [
      ...(['POST', 'PATCH', 'PUT'] as const).map((each) => [each, '/ssf/streams'] as const),
      ['POST', '/ssf/status'],
      ['POST', '/ssf/verify'],
      ['POST', '/ssf/subjects/add'],
      ['POST', `/ssf/poll/${streamId}`],
    ] as const)
      expect((await receivers.world.browser().request(method, path, raw)).status).toBe(400);
    for (const [method, path, body] of [
      ['POST', '/ssf/streams', { delivery: 'push' }],
      ['POST', '/ssf/streams', { delivery: { method: 'carrier-pigeon' } }],
      ['POST', '/ssf/streams', { events_requested: 'all' }],
      ['POST', '/ssf/streams', []],
      ['PATCH', '/ssf/streams', {}],
      ['PATCH', '/ssf/streams', { stream_id: streamId, aud: 'another' }],
      ['PUT', '/ssf/streams', { stream_id: streamId, iss: 'https://another.example' }],
      ['PUT', '/ssf/streams', { stream_id: streamId, events_delivered: [] }],
      ['POST', '/ssf/status', { stream_id: streamId, status: 'asleep' }],
      ['POST', '/ssf/verify', { stream_id: streamId, state: 'x'.repeat(1_001) }],
      ['POST', '/ssf/subjects/add', { stream_id: streamId, subject: { format: 'did', url: 'did:a' } }],
      ['POST', `/ssf/poll/${streamId}`, { maxEvents: -1 }],
    ] as const)
      expect((await receiver.call(method, path, body)).status, JSON.stringify(body)).toBe(400);
  });

  test('an endpoint that is not to be called is 400', async () => {
    const { call } = await receivers.register();
    for (const [endpoint_url, code] of [
      ['http://receiver.example/', 'uri_not_https'],
      ['https://127.0.0.1/', 'uri_host_refused'],
      ['https://[::ffff:10.0.0.1]/', 'uri_host_refused'],
      ['https://169.254.169.254/latest', 'uri_host_refused'],
      ['https://receiver.example:8443/', 'uri_host_refused'],
      ['https://user:password@receiver.example/', 'uri_host_refused'],
      ['receiver.example', 'uri_invalid'],
      [undefined, 'uri_invalid'],
      [`https://receiver.example/${'x'.repeat(2_048)}`, 'uri_too_long'],
    ])
      expect(
        codeOf(await call('POST', '/ssf/streams', { delivery: { method: PUSH, endpoint_url } })),
      ).toEqual([400, code]);
    const header = {
      method: PUSH,
      endpoint_url: 'https://receiver.example/',
      authorization_header: 'a\r\nb: c',
    };
    expect((await call('POST', '/ssf/streams', { delivery: header })).status).toBe(400);
  });

  test('no token, a wrong one, and one in the query are 401; a narrow one is 403 (RFC 6750 section 3.1)', async () => {
    const { world } = receivers;
    const reading = await receiver.callWith('ssf.read');
    const paths = [
      ['POST', '/ssf/streams'],
      ['PATCH', '/ssf/streams'],
      ['PUT', '/ssf/streams'],
      ['DELETE', `/ssf/streams?stream_id=${streamId}`],
      ['POST', '/ssf/status'],
      ['POST', '/ssf/verify'],
      ['POST', '/ssf/subjects/add'],
      ['POST', '/ssf/subjects/remove'],
    ] as const;
    for (const [method, path] of paths) {
      const [bare, wrong] = [createCalls(world, undefined), createCalls(world, 'wrong')];
      expect(challengeOf(await bare(method, path, {}))).toEqual([401, 'Bearer']);
      expect(challengeOf(await wrong(method, path, {}))).toEqual([401, 'Bearer error="invalid_token"']);
      expect(challengeOf(await reading(method, path, {}))).toEqual([
        403,
        'Bearer error="insufficient_scope", scope="ssf.manage"',
      ]);
    }
    for (const path of [`/ssf/poll/${streamId}`])
      expect((await createCalls(world, undefined)('POST', path, {})).status).toBe(401);
    expect((await createCalls(world, undefined)('GET', '/ssf/streams?access_token=x')).status).toBe(401);
    expect((await reading('GET', '/ssf/streams')).status).toBe(200);
    expect((await reading('GET', `/ssf/status?stream_id=${streamId}`)).status).toBe(200);
    expect((await reading('POST', `/ssf/poll/${streamId}`, { returnImmediately: true })).status).toBe(200);
  });

  test('the scopes are for machines alone, and for clients that name them', async () => {
    const plain = await receivers.world.registerApp({
      grant_types: ['authorization_code', 'client_credentials'],
      scope: 'openid',
    });
    const refused = receivers.world
      .registerApp({ token_endpoint_auth_method: 'none', scope: 'openid ssf.manage' })
      .then(async ({ rp }) => {
        const { agent } = await receivers.world.signUp();
        return receivers.world.link(agent, rp, { scope: 'openid ssf.manage' });
      });
    const [{ tokens }] = await Promise.all([refused]);
    expect(tokens.scope).toBe('openid');
    const { clientCredentialsGrant } = await import('openid-client');
    await expect(
      clientCredentialsGrant(plain.rp.configuration, { scope: 'ssf.manage' }),
    ).rejects.toMatchObject({
      error: 'invalid_scope',
    });
  });
});
