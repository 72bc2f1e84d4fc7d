import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CREDENTIAL_CHANGE,
  POLL,
  PUSH,
  type Receivers,
  SESSION_REVOKED,
  startReceivers,
} from './receivers.ts';

const LINK_CREATED = 'urn:candela:event-type:link-created';

let receivers: Receivers;
beforeAll(async () => {
  receivers = await startReceivers();
});
afterAll(() => receivers?.close());

/** A person who uses the client, and the client’s subject for them. */
const link = async ({ rp }: Awaited<ReturnType<Receivers['register']>>) => {
  const { agent, identifier } = await receivers.world.signUp();
  const { tokens } = await receivers.world.link(agent, rp, { scope: 'openid email' });
  const accountId: string = (await agent.get('/api/account')).json().id;
  return { accountId, identifier, sub: tokens.claims()?.sub ?? '', sid: tokens.claims()?.sid };
};

const OF_TESTS = [SESSION_REVOKED, CREDENTIAL_CHANGE];

/** A receiver that is pushed to, of a stream that asked for these events. */
const pushed = async (
  metadata: Record<string, unknown> = {},
  events_requested: readonly string[] = OF_TESTS,
) => {
  const receiver = await receivers.register(metadata);
  receivers.replyAt(receiver.path, (answer) => answer.writeHead(202).end());
  const delivery = { method: PUSH, endpoint_url: receiver.endpoint };
  const { stream_id: id } = await receivers.createStream(receiver, { delivery, events_requested });
  return { ...receiver, id };
};

test('a stream that its receiver made hears what happens to its people', async () => {
  const receiver = await pushed({}, [LINK_CREATED]);
  const { sub } = await link(receiver);
  const [{ body } = { body: '' }] = await receivers.untilReceived(receiver.path);
  const { events, sub_id } = await receivers.readSet(body, receiver.clientId);
  expect(Object.keys(events)).toEqual([LINK_CREATED]);
  expect(sub_id).toMatchObject({ sub });
});

describe('openid-ssf-transmitter-events', () => {
  test('session-revoked is about a session of a person, in one event, signed by RS256 and of type secevent+jwt', async () => {
    const receiver = await pushed();
    const { accountId, sub } = await link(receiver);
    const payload = { initiating_entity: 'user', reason_admin: { en: 'Signed out' } };
    const [jti] = await receivers.addSignals(receiver.id, [{ accountId, sid: 'of-the-client', payload }]);
    const [{ body, request } = { body: '', request: undefined }] = await receivers.untilReceived(
      receiver.path,
    );
    expect(request?.headers).toMatchObject({
      'content-type': 'application/secevent+jwt',
      accept: 'application/json',
    });
    expect(decodeProtectedHeader(body)).toEqual({
      typ: 'secevent+jwt',
      alg: 'RS256',
      kid: expect.any(String),
    });
    const iss = receivers.world.origin;
    const claims = await receivers.readSet(body, receiver.clientId);
    expect(claims).toEqual({
      iss,
      jti,
      txn: jti,
      aud: receiver.clientId,
      iat: expect.any(Number),
      sub_id: {
        format: 'complex',
        user: { format: 'iss_sub', iss, sub },
        session: { format: 'opaque', id: 'of-the-client' },
      },
      events: { [SESSION_REVOKED]: { event_timestamp: claims.iat, ...payload } },
    });
    expect(claims.iat ?? 0).toBeLessThanOrEqual(Date.now() / 1_000 + 1);
  });

  test('credential-change is about a person, by the subject that the client knows: a pairwise one', async () => {
    const receiver = await pushed({ subject_type: 'pairwise' });
    const { accountId, sub } = await link(receiver);
    expect(sub).not.toBe(accountId);
    const payload = { credential_type: 'password', change_type: 'update', reason_admin: { en: 'Changed' } };
    await receivers.addSignals(receiver.id, [{ accountId, event: 'credential-change', payload }]);
    const [received] = await receivers.untilReceived(receiver.path);
    const claims = await receivers.readSet(received?.body ?? '', receiver.clientId);
    expect(claims.sub_id).toEqual({ format: 'iss_sub', iss: receivers.world.origin, sub });
    expect(claims.events[CREDENTIAL_CHANGE]).toMatchObject(payload);
    expect(received?.body).not.toContain(accountId);
  });

  test('a signal outlives the account that it is about', async () => {
    const receiver = await pushed();
    await receivers.addSignals(receiver.id, [{ accountId: 'gone', event: 'account-purged' }]);
    const [received] = await receivers.untilReceived(receiver.path);
    expect((await receivers.readSet(received?.body ?? '', receiver.clientId)).sub_id).toMatchObject({
      sub: 'gone',
    });
  });
});

describe('openid-ssf-stream-subject-control', () => {
  test.each(['public', 'pairwise'])('a person is taken out and added again by a %s subject', async (type) => {
    const receiver = await receivers.register({ subject_type: type });
    const { accountId, identifier, sub } = await link(receiver);
    const { stream_id } = await receivers.createStream(receiver);
    const subjects = [
      { format: 'iss_sub', iss: receivers.world.origin, sub },
      { format: 'email', email: identifier.toUpperCase() },
    ];
    for (const subject of subjects) {
      const set = async (path: string) =>
        (await receiver.call('POST', `/ssf/subjects/${path}`, { stream_id, subject, verified: true })).status;
      const included = async () =>
        (
          await receivers.world.db
            .selectFrom('signal_subject')
            .select(['account_id', 'included'])
            .where('stream_id', '=', stream_id)
            .execute()
        ).map((row) => [row.account_id, row.included]);
      expect(await set('remove')).toBe(204);
      expect(await included()).toEqual([[accountId, false]]);
      expect(await set('add')).toBe(200);
      expect(await included()).toEqual([[accountId, true]]);
    }
  });

  test('whom the client does not know is 404, as nobody is', async () => {
    const receiver = await receivers.register();
    const other = await link(await receivers.register());
    const own = await receivers.world.signUp();
    await receivers.world.link(own.agent, receiver.rp, { scope: 'openid' });
    const { stream_id } = await receivers.createStream(receiver);
    const iss = receivers.world.origin;
    for (const subject of [
      { format: 'iss_sub', iss, sub: other.accountId },
      { format: 'iss_sub', iss, sub: 'nobody' },
      { format: 'iss_sub', iss: 'https://another.example', sub: other.accountId },
      { format: 'email', email: other.identifier },
      { format: 'email', email: 'nobody@example.com' },
      // The person did not approve that the client sees the address.
      { format: 'email', email: own.identifier },
      { format: 'phone_number', phone_number: '+8613800138000' },
      { format: 'phone_number', phone_number: 'x' },
    ])
      expect((await receiver.call('POST', '/ssf/subjects/add', { stream_id, subject })).status).toBe(404);
  });
});

describe('openid-ssf-transmitter-stream-verification-poll', () => {
  test('a verification is waited for, handed out until it is acknowledged, and has the state', async () => {
    const receiver = await receivers.register();
    const { stream_id, delivery } = await receivers.createStream(receiver, { delivery: { method: POLL } });
    const poll = async (body: object) => (await receiver.call('POST', delivery.endpoint_url, body)).json();
    expect(await poll({ returnImmediately: true })).toEqual({ sets: {}, moreAvailable: false });
    const waiting = poll({});
    const asked = { stream_id, state: 'of the receiver' };
    expect((await receiver.call('POST', '/ssf/verify', asked)).status).toBe(204);
    const { sets } = await waiting;
    const [[jti, token] = ['', '']] = Object.entries<string>(sets);
    const claims = await receivers.readSet(token, receiver.clientId);
    expect(claims).toMatchObject({ jti, sub_id: { format: 'opaque', id: stream_id } });
    expect(Object.values(claims.events)).toEqual([{ state: asked.state }]);
    expect(Object.keys((await poll({ returnImmediately: true })).sets)).toEqual([jti]);
    expect(await poll({ maxEvents: 0, ack: [jti] })).toEqual({ sets: {}, moreAvailable: false });
    expect(await receivers.rowsOf(stream_id)).toMatchObject([{ outcome: 'told' }]);

    const again = await receiver.call('POST', '/ssf/verify', { stream_id });
    expect([again.status, Number(again.headers['retry-after'])]).toEqual([429, 5]);
  });

  test('the next of each person is handed out, and more after its acknowledgement; what is refused is settled', async () => {
    const receiver = await receivers.register();
    const { stream_id: id, delivery } = await receivers.createStream(receiver);
    const poll = async (body: object) =>
      (await receiver.call('POST', delivery.endpoint_url, { returnImmediately: true, ...body })).json();
    const [first = '', second = '', other = ''] = await receivers.addSignals(id, [
      { accountId: 'ada' },
      { accountId: 'ada' },
      { accountId: 'bob' },
    ]);
    const one = await poll({ maxEvents: 1 });
    expect([Object.keys(one.sets), one.moreAvailable]).toEqual([[first], true]);
    const both = await poll({});
    expect([Object.keys(both.sets), both.moreAvailable]).toEqual([[first, other], true]);
    const long = `no such key ${'a'.repeat(275)}`;
    const setErrs = { [other]: { err: 'invalid_key', description: `${long}😀` } };
    const rest = await poll({ ack: [first], setErrs });
    expect([Object.keys(rest.sets), rest.moreAvailable]).toEqual([[second], false]);
    expect(
      (await receivers.rowsOf(id)).map(({ outcome, outcome_detail }) => [outcome, outcome_detail]),
    ).toEqual([
      ['told', null],
      [null, null],
      // Cut at 300 units, between the halves of a character.
      ['refused', `invalid_key ${long}\ufffd`],
    ]);
  });

  test('SG1: an acknowledgement of another’s signal settles nothing', async () => {
    const [victim, forger] = [await receivers.register(), await receivers.register()];
    const { stream_id: id } = await receivers.createStream(victim);
    const own = await receivers.createStream(forger);
    const [jti = ''] = await receivers.addSignals(id, [{ accountId: 'ada' }]);
    const forged = { returnImmediately: true, ack: [jti], setErrs: { [jti]: { err: 'jwtIss' } } };
    const answer = await forger.call('POST', own.delivery.endpoint_url, forged);
    expect([answer.status, answer.json().sets]).toEqual([200, {}]);
    expect(await receivers.rowsOf(id)).toMatchObject([{ settled_at: null, outcome: null }]);
  });
});

describe('openid-ssf-transmitter-paused-stream-holds-events', () => {
  test('a paused stream hands out nothing, and all of it later; a disabled one keeps nothing', async () => {
    const receiver = await receivers.register();
    const { stream_id, delivery } = await receivers.createStream(receiver);
    const setStatus = (status: string) => receiver.call('POST', '/ssf/status', { stream_id, status });
    const polled = async () =>
      Object.keys(
        (await receiver.call('POST', delivery.endpoint_url, { returnImmediately: true })).json().sets,
      );
    await setStatus('paused');
    const jtis = await receivers.addSignals(stream_id, [{ accountId: 'ada' }]);
    await receiver.call('POST', '/ssf/verify', { stream_id });
    expect(await polled()).toEqual([]);
    await setStatus('enabled');
    expect(await polled()).toEqual([...jtis, expect.any(String)]);
    await setStatus('disabled');
    await receivers.world.db.deleteFrom('signal').where('event', '=', 'verification').execute();
    await receiver.call('POST', '/ssf/verify', { stream_id });
    expect(await polled()).toEqual([]);
    await setStatus('enabled');
    expect(await polled()).toEqual([]);
    expect(await receivers.rowsOf(stream_id)).toMatchObject([{ outcome: 'dropped' }]);
  });
});
