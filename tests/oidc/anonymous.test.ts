import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { askForCode, type DeviceApp, registerDevice } from '../support/device.ts';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import { createSigningKey, signProof, signRequest } from '../support/signer.ts';
import { basic, hashOf } from '../support/token.ts';
import type { Answer } from '../support/user-agent.ts';
import { bootOf, type RegisteredApp } from './authorization.ts';

let world: SecureWorld;
let app: RegisteredApp;
let open: RegisteredApp;
let device: DeviceApp;
beforeAll(async () => {
  world = await createSecureWorld();
  app = await world.registerApp();
  open = await world.registerApp({ token_endpoint_auth_method: 'none' });
  device = await registerDevice(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.db.deleteFrom('rate_limit').execute();
});

const right = async (asked = app) => Object.fromEntries((await asked.rp.authorizationUrl()).url.searchParams);
const authorize = (parameters: Record<string, string>) =>
  world.browser().get(`/oauth/authorize?${new URLSearchParams(parameters)}`);
const push = async (changes: Record<string, string> = {}, dpop?: string) =>
  world.browser().request('POST', '/oauth/par', {
    form: { ...(await right(open)), client_id: open.clientId, ...changes },
    headers: { origin: '', 'sec-fetch-site': '', ...(dpop && { dpop }) },
  });
/** The same request by an app that authenticates. */
const pushKnown = async (dpop?: string) => {
  const basic = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64');
  return world.browser().request('POST', '/oauth/par', {
    form: await right(),
    headers: { origin: '', 'sec-fetch-site': '', authorization: `Basic ${basic}`, ...(dpop && { dpop }) },
  });
};
/** Makes fresh proofs for pushed requests, with one nonce. */
const createProver = async () => {
  const key = await createSigningKey();
  const prove = (nonce?: string) => signProof(key, { htm: 'POST', htu: `${world.origin}/oauth/par`, nonce });
  const nonce = String((await push({}, await prove())).headers['dpop-nonce']);
  return () => prove(nonce);
};
const count = async (table: 'interaction' | 'session' | 'oidc_model') => {
  const { rows } = await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(world.db);
  return Number(rows[0]?.n);
};
const kept = async () => [await count('interaction'), await count('session'), await count('oidc_model')];
const errorAt = ({ headers }: Answer) => {
  const { searchParams } = new URL(String(headers.location));
  return [searchParams.get('error'), searchParams.get('error_description')];
};

describe('the size of an app’s request is bounded', () => {
  test('state may be 4 KB, and the rest 2 KB each and 8 KB together', async () => {
    const parameters = await right();
    const long = { state: 's'.repeat(4096), login_hint: 'l'.repeat(2048) };
    expect((await authorize({ ...parameters, ...long })).headers.location).toMatch(/^\/interaction\//);
    const before = await kept();
    for (const [changes, fault] of [
      [{ state: 's'.repeat(4097) }, 'state is longer than 4096 bytes'],
      [{ state: 'é'.repeat(2049) }, 'state is longer than 4096 bytes'],
      [{ nonce: 'n'.repeat(2049) }, 'nonce is longer than 2048 bytes'],
      [{ ...long, nonce: 'n'.repeat(2048) }, 'the parameters are longer than 8192 bytes'],
    ] as [Record<string, string>, string][]) {
      const answer = await authorize({ ...parameters, ...changes });
      expect(errorAt(answer)).toEqual(['invalid_request', fault]);
    }
    expect(await kept()).toEqual(before);
  });

  test('also for pushed requests and for device authorization requests', async () => {
    const pushed = await push({ state: 's'.repeat(4096) });
    expect(pushed.status).toBe(201);
    const { request_uri } = pushed.json();
    const opened = await authorize({ client_id: open.clientId, request_uri });
    expect(opened.headers.location).toMatch(/^\/interaction\//);
    const before = await kept();
    for (const answer of [
      await push({ state: 's'.repeat(4097) }),
      await push({ nonce: 'n'.repeat(50_000) }),
      await device.post('/oauth/device_authorization', { scope: 'openid', login_hint: 'l'.repeat(2049) }),
    ]) {
      expect([answer.status, answer.json().error]).toEqual([400, 'invalid_request']);
    }
    expect(await kept()).toEqual(before);
  });

  test('the DPoP proof of a pushed request that is too long is not stored', async () => {
    const prove = await createProver();
    const before = await kept();
    const answer = await push({ nonce: 'n'.repeat(3000) }, await prove());
    expect([answer.status, answer.json().error]).toEqual([400, 'invalid_request']);
    expect(await kept()).toEqual(before);
    expect((await push({}, await prove())).status).toBe(201);
  });
});

describe('a browser without a session', () => {
  test('gets no session from any page', async () => {
    const before = await count('session');
    const { agent } = await world.signUp();
    const cookie = await agent.jar.getCookieString(world.origin);
    await agent.delete('/api/sessions');
    expect(await count('session')).toBe(before);
    for (const headers of [{}, { cookie }]) {
      const stranger = world.browser({ headers });
      const answers = [
        await stranger.get('/oauth/logout'),
        await stranger.get(`/oauth/logout?client_id=${app.clientId}`),
        await stranger.get('/oauth/device'),
        await stranger.get('/device'),
        await stranger.request('POST', '/oauth/device', { form: { user_code: 'x', xsrf: 'x' } }),
        await stranger.get(`/oauth/authorize?${new URLSearchParams(await right())}`),
        await stranger.get(`/oauth/authorize?${new URLSearchParams({ ...(await right()), prompt: 'none' })}`),
      ];
      for (const answer of answers) {
        const names = [answer.headers['set-cookie'] ?? []].flat().map((text) => text.split('=')[0]);
        expect(names.filter((name) => name?.includes('session'))).toEqual([]);
      }
    }
    expect(await count('session')).toBe(before);
  });

  test('is redirected by a logout to the registered address of the app, or else to a page of ours', async () => {
    const to = async (parameters: Record<string, string>) => {
      const answer = await world.browser().get(`/oauth/logout?${new URLSearchParams(parameters)}`);
      return [answer.status, answer.headers.location];
    };
    const back = 'https://app.example/';
    const asked = { client_id: app.clientId, post_logout_redirect_uri: back };
    expect(await to({ ...asked, state: 'a state' })).toEqual([303, `${back}?state=a+state`]);
    expect(await to(asked)).toEqual([303, back]);
    expect(await to({ post_logout_redirect_uri: 'https://evil.example/' })).toEqual([
      303,
      '/oauth/logout/success',
    ]);
    expect(await to({})).toEqual([303, '/oauth/logout/success']);
    expect((await to({ ...asked, post_logout_redirect_uri: 'https://evil.example/' }))[0]).toBe(400);
  });
});

test('an expired interaction stores nothing of its request, and leads late visitors back', async () => {
  const agent = world.browser();
  const answer = await agent.get(`/oauth/authorize?${new URLSearchParams(await right())}`);
  const location = String(answer.headers.location);
  const idHash = hashOf(location.split('/').at(-1) ?? '');
  await world.db
    .updateTable('interaction')
    .set({ expires_at: sql`now() - interval '5 minutes'` })
    .where('id_hash', '=', idHash)
    .execute();
  await world.sweep();
  const row = await world.db
    .selectFrom('interaction')
    .select(['payload', 'emptied'])
    .where('id_hash', '=', idHash)
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ payload: {}, emptied: true });
  const late = await agent.get(location);
  expect(late.status).toBe(410);
  expect(bootOf({ url: new URL(world.origin), answer: late }).error).toMatchObject({
    code: 'interaction_expired',
    startAgain: { uri: 'https://app.example/' },
  });
});

describe('one network', () => {
  const spend = (like: string) =>
    world.db.updateTable('rate_limit').set({ hits: 1_000_000 }).where('key', 'like', like).execute();
  const wait = (answer: Answer) => Number(answer.headers['retry-after']);

  test('that spent its limit begins no sign-in, even with a session, and continues those that it began', async () => {
    const { agent, identifier } = await world.signUp();
    const ask = async (changes: Record<string, string>) =>
      agent.get(`/oauth/authorize?${new URLSearchParams({ ...(await right()), ...changes })}`);
    await world.db.deleteFrom('rate_limit').execute();
    // Longer requests have a separate limit, which no other test has spent.
    const long = { prompt: 'login', login_hint: 'l'.repeat(2000), state: 's'.repeat(1000) };
    for (let turn = 0; turn < 3; turn += 1) expect((await ask(long)).status).toBe(303);
    const begun =
      String((await ask(long)).headers.location)
        .split('/')
        .at(-1) ?? '';
    const unanswered =
      String((await ask(long)).headers.location)
        .split('/')
        .at(-1) ?? '';
    await spend('anonymous.sign-in.long.minute%');
    const before = await kept();
    const refused = await ask(long);
    expect(refused.status).toBe(429);
    expect(wait(refused)).toBeGreaterThan(0);
    expect(await kept()).toEqual(before);
    expect((await agent.get(`/oauth/authorize/${unanswered}`)).status).toBe(429);
    const arrived = await world.login(agent, begun, identifier);
    expect(arrived.url.pathname).toBe('/consent');
  });

  test('may begin more sign-ins than thousands of people need, and then has to wait', async () => {
    const parameters = await right();
    for (let turn = 0; turn < 30; turn += 1) expect((await authorize(parameters)).status).toBe(303);
    const before = await kept();
    await spend('anonymous.sign-in.minute%');
    const page = await authorize(parameters);
    expect(page.status).toBe(429);
    expect(bootOf({ url: new URL(world.origin), answer: page }).error).toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: wait(page),
    });
    expect(wait(page)).toBeGreaterThan(0);
    expect(wait(page)).toBeLessThanOrEqual(60);
    expect(await kept()).toEqual(before);
  });

  test('gets the refusal in JSON for a program, and authenticated clients are not counted', async () => {
    for (let turn = 0; turn < 21; turn += 1) {
      expect((await push()).status).toBe(201);
      await askForCode(device);
    }
    await spend('anonymous.pushed-request.minute%');
    await spend('anonymous.device-code.minute%');
    const before = await kept();
    for (const answer of [
      await push(),
      await device.post('/oauth/device_authorization', { scope: 'openid' }),
    ]) {
      expect([answer.status, answer.json().error]).toEqual([429, 'temporarily_unavailable']);
      expect(wait(answer)).toBeGreaterThan(0);
    }
    expect(await kept()).toEqual(before);
    expect((await pushKnown()).status).toBe(201);
  });

  test('has a limit of signed requests to verify, failed ones included', async () => {
    const key = await createSigningKey();
    const signing = await world.registerApp({ jwks: { keys: [key.jwk] } });
    const named = { clientId: signing.clientId, audience: world.origin };
    const beside = { client_id: signing.clientId, redirect_uri: signing.redirectUri, response_type: 'code' };
    const sign = (by = key) => signRequest(by, named, beside);
    const stranger = await createSigningKey();
    for (let turn = 0; turn < 21; turn += 1) {
      const answer = await authorize({ ...beside, request: await sign(stranger) });
      expect(errorAt(answer)[0]).toBe('invalid_request_object');
    }
    await spend('anonymous.request-object.minute%');
    const page = await authorize({ ...beside, request: await sign() });
    expect(page.status).toBe(429);
    expect(wait(page)).toBeGreaterThan(0);
    // An authenticated client is not counted: its own error is that the request has no challenge.
    const pushed = await world.browser().request('POST', '/oauth/par', {
      form: { request: await sign() },
      headers: { origin: '', ...basic(signing) },
    });
    expect([pushed.status, pushed.json().error]).toEqual([400, 'invalid_request']);
  });

  test('has a limit of pushed requests with DPoP proofs, failed ones included', async () => {
    const prove = await createProver();
    for (let turn = 0; turn < 21; turn += 1) {
      const answer = await push({ dpop_jkt: 'of another key' }, await prove());
      expect([answer.status, answer.json().error]).toEqual([400, 'invalid_request']);
    }
    await spend('anonymous.proof.minute%');
    const before = await kept();
    const answer = await push({ dpop_jkt: 'of another key' }, await prove());
    expect([answer.status, answer.json().error]).toEqual([429, 'temporarily_unavailable']);
    expect(wait(answer)).toBeGreaterThan(0);
    expect(await kept()).toEqual(before);
    expect((await pushKnown(await prove())).status).toBe(201);
  });
});
