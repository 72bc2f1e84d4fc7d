import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basic, hashOf } from '../support/token.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { type RegisteredApp, refusal } from './authorization.ts';

let world: World;
let app: RegisteredApp;
let agent: UserAgent;
beforeAll(async () => {
  world = await createWorld();
  app = await world.registerApp();
  agent = (await world.signUp()).agent;
});
afterAll(() => world.close());

/** As a program asks: no page is behind the request. */
const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  world.browser().request('POST', path, { form, headers: { origin: '', 'sec-fetch-site': '', ...headers } });

/** A code that is not redeemed yet. */
const approve = async (asked: RegisteredApp = app) => {
  const { url, checks } = await asked.rp.authorizationUrl({ prompt: 'consent' });
  const page = await agent.navigate(url);
  const callback = await world.approve(agent, world.interactionOf(page.url));
  return { code: callback.url.searchParams.get('code') ?? '', callback: callback.url, checks };
};

const redemption = (code: string, verifier: string) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: app.redirectUri,
  code_verifier: verifier,
});

describe('client authentication', () => {
  const refused = async (form: Record<string, string>, headers: Record<string, string> = {}) => {
    const answer = await post('/oauth/token', { ...redemption('x', 'y'.repeat(43)), ...form }, headers);
    return [answer.status, answer.json().error];
  };

  test('that fails is 401 invalid_client with WWW-Authenticate', async () => {
    const { clientId, clientSecret } = app;
    expect(await refused({}, basic({ clientId, clientSecret: 'wrong' }))).toEqual([401, 'invalid_client']);
    expect(await refused({}, basic({ clientId: 'unknown', clientSecret }))).toEqual([401, 'invalid_client']);
    expect(await refused({ client_id: 'unknown', client_secret: clientSecret })).toEqual([
      401,
      'invalid_client',
    ]);
    expect(await refused({ client_id: clientId })).toEqual([401, 'invalid_client']);
    const answer = await post(
      '/oauth/token',
      redemption('x', 'y'),
      basic({ clientId, clientSecret: 'wrong' }),
    );
    expect(answer.headers['www-authenticate']).toMatch(/^Basic realm=/);
    expect(answer.headers['cache-control']).toContain('no-store');
    expect(answer.headers.pragma).toBe('no-cache');
  });

  test('that is malformed is refused', async () => {
    const { clientId, clientSecret } = app;
    const wrong = [
      { authorization: 'Basic' },
      { authorization: 'Basic !!!' },
      { authorization: `Basic ${Buffer.from(clientId).toString('base64')}` },
      { authorization: `Basic ${Buffer.from(':').toString('base64')}` },
      { authorization: `Basic ${Buffer.from(`${clientId}:%`).toString('base64')}` },
      { authorization: 'Bearer x' },
    ];
    for (const headers of wrong) {
      const [status, error] = await refused({}, headers);
      expect([status, headers, error]).toEqual([
        expect.any(Number),
        headers,
        expect.stringMatching(/^invalid_(client|request)$/),
      ]);
      expect([400, 401]).toContain(status);
    }
    const both = await refused(
      { client_id: clientId, client_secret: clientSecret },
      basic({ clientId, clientSecret }),
    );
    expect(both[1]).toMatch(/^invalid_(client|request)$/);
  });

  test('with an unsigned assertion is refused', async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: app.clientId,
      sub: app.clientId,
      aud: world.origin,
      jti: 'x',
      exp: now + 60,
      iat: now,
    };
    const [status, error] = await refused({
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: `${part({ alg: 'none' })}.${part(claims)}.`,
    });
    expect([400, 401]).toContain(status);
    expect(error).toMatch(/^invalid_(client|request)$/);
  });

  test('with a stored hash in place of the secret is refused', async () => {
    const { hash } = await world.db
      .selectFrom('client_secret')
      .select('hash')
      .where('client_id', '=', app.clientId)
      .executeTakeFirstOrThrow();
    expect(hash).not.toBe(app.clientSecret);
    const stored = basic({ ...app, clientSecret: hash });
    expect(await refused({}, stored)).toEqual([401, 'invalid_client']);
  });
});

describe('OA3: a code', () => {
  const redeem = (form: Record<string, string>, by: RegisteredApp = app) =>
    post('/oauth/token', form, basic(by));
  const invalidGrant = [400, 'invalid_grant'];
  const summary = ({ status, json }: Awaited<ReturnType<typeof redeem>>) => [status, json().error];

  test('used twice at once is refused, and its tokens stay valid', async () => {
    const { callback, checks, code } = await approve();
    const tokens = await app.rp.exchange(callback, checks);
    expect(summary(await redeem(redemption(code, checks.pkceCodeVerifier)))).toEqual(invalidGrant);
    expect((await app.rp.introspect(tokens.access_token)).active).toBe(true);
    expect((await app.rp.refresh(tokens.refresh_token ?? '')).access_token).toBeTypeOf('string');
  });

  test('used again later is refused, and its tokens are revoked', async () => {
    const { callback, checks, code } = await approve();
    const tokens = await app.rp.exchange(callback, checks);
    expect((await app.rp.introspect(tokens.access_token)).active).toBe(true);
    await world.db
      .updateTable('authorization_code')
      .set({ consumed_at: sql`consumed_at - interval '11 seconds'` })
      .where('id_hash', '=', hashOf(code))
      .execute();
    expect(summary(await redeem(redemption(code, checks.pkceCodeVerifier)))).toEqual(invalidGrant);
    expect(await app.rp.introspect(tokens.access_token)).toEqual({ active: false });
    await expect(app.rp.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('used by many at once yields tokens to one, and they stay valid', async () => {
    const { checks, code } = await approve();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => redeem(redemption(code, checks.pkceCodeVerifier))),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const lost of answers.filter(({ status }) => status !== 200))
      expect(summary(lost)).toEqual(invalidGrant);
    for (const winner of won) expect((await app.rp.introspect(winner.json().access_token)).active).toBe(true);
  });

  test.each([
    ['no verifier', { code_verifier: undefined }],
    ['a wrong verifier', { code_verifier: 'w'.repeat(43) }],
    ['a malformed verifier', { code_verifier: 'short' }],
    ['another redirect_uri', { redirect_uri: 'https://app.example/other' }],
    ['no redirect_uri', { redirect_uri: undefined }],
  ])('with %s is refused', async (_name, changes: Record<string, string | undefined>) => {
    const { checks, code } = await approve();
    const form = Object.fromEntries(
      Object.entries({ ...redemption(code, checks.pkceCodeVerifier), ...changes }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    );
    const [status, error] = summary(await redeem(form));
    expect(status).toBe(400);
    expect(error).toMatch(/^invalid_(grant|request)$/);
  });

  test('of another app is refused', async () => {
    const other = await world.registerApp();
    const { checks, code } = await approve();
    expect(summary(await redeem(redemption(code, checks.pkceCodeVerifier), other))).toEqual(invalidGrant);
  });

  test('that has expired is refused', async () => {
    const { checks, code } = await approve();
    await world.db
      .updateTable('authorization_code')
      .set({ expires_at: new Date(Date.now() - 60_000) })
      .execute();
    expect(summary(await redeem(redemption(code, checks.pkceCodeVerifier)))).toEqual(invalidGrant);
  });

  test('is valid for a minute at most', async () => {
    await approve();
    const rows = await world.db
      .selectFrom('authorization_code')
      .select(['created_at', 'expires_at'])
      .execute();
    for (const { created_at, expires_at } of rows) {
      expect(expires_at.getTime() - created_at.getTime()).toBeLessThanOrEqual(61_000);
    }
  });

  test('other grants are not offered', async () => {
    const auth = basic(app);
    const password = await post(
      '/oauth/token',
      { grant_type: 'password', username: 'a', password: 'b' },
      auth,
    );
    expect([password.status, password.json().error]).toEqual([400, 'unsupported_grant_type']);
    const machine = await post('/oauth/token', { grant_type: 'client_credentials' }, auth);
    expect(machine.status).toBe(400);
    expect(machine.json().error).toMatch(/^(unsupported_grant_type|unauthorized_client)$/);
  });
});

describe('introspection and revocation', () => {
  const inactive = { active: false };

  test('need client authentication', async () => {
    for (const path of ['/oauth/introspect', '/oauth/revoke']) {
      const answer = await post(path, { token: 'x' });
      expect([path, answer.status]).toEqual([
        path,
        expect.toSatisfy((status) => status === 400 || status === 401),
      ]);
      const wrong = await post(path, { token: 'x' }, basic({ ...app, clientSecret: 'wrong' }));
      expect([path, wrong.status, wrong.json().error]).toEqual([path, 401, 'invalid_client']);
    }
  });

  test('introspection refuses a public app, since it cannot authenticate (RFC 7662 section 2.1)', async () => {
    const open = await world.registerApp({ token_endpoint_auth_method: 'none' });
    const { tokens } = await world.link(agent, open.rp);
    for (const token of [tokens.access_token, tokens.refresh_token ?? '', tokens.id_token ?? '', 'unknown']) {
      const answer = await post('/oauth/introspect', { token, client_id: open.clientId });
      expect([answer.status, answer.json()]).toEqual([
        401,
        { error: 'invalid_client', error_description: expect.any(String) },
      ]);
    }
    expect(await open.rp.userinfo(tokens.access_token)).toHaveProperty('sub');
  });

  test('serve an app’s own tokens only', async () => {
    const { tokens } = await world.link(agent, app.rp, { prompt: 'consent' });
    const other = await world.registerApp();
    expect(await other.rp.introspect(tokens.access_token)).toEqual(inactive);
    expect(await other.rp.introspect(tokens.refresh_token ?? '')).toEqual(inactive);
    expect(await app.rp.introspect('unknown')).toEqual(inactive);
    expect(await app.rp.introspect(tokens.id_token ?? '')).toEqual(inactive);
    expect(await app.rp.introspect(tokens.refresh_token ?? '')).toMatchObject({ active: true });
    expect(await app.rp.introspect(tokens.access_token, 'refresh_token')).toMatchObject({ active: true });
  });

  test('an expired token is inactive', async () => {
    const { tokens } = await world.link(agent, app.rp, { prompt: 'consent' });
    await world.db
      .updateTable('access_token')
      .set({ expires_at: new Date(Date.now() - 60_000) })
      .execute();
    expect(await app.rp.introspect(tokens.access_token)).toEqual(inactive);
    await expect(app.rp.userinfo(tokens.access_token)).rejects.toThrow();
  });

  test('the response to a revocation is empty, without a content type', async () => {
    const { tokens } = await world.link(agent, app.rp, { prompt: 'consent' });
    for (const token of [tokens.access_token, 'unknown']) {
      const { status, headers, body } = await post('/oauth/revoke', { token }, basic(app));
      expect([status, headers['content-type'], headers['content-length'], body]).toEqual([
        200,
        undefined,
        '0',
        '',
      ]);
    }
  });

  test('revocation answers 200 for an unknown token, and keeps another app’s token', async () => {
    const { tokens } = await world.link(agent, app.rp, { prompt: 'consent' });
    const other = await world.registerApp();
    await app.rp.revoke('unknown');
    for (const token of [tokens.access_token, tokens.refresh_token ?? '']) {
      const answer = await post('/oauth/revoke', { token }, basic(other));
      expect([200, 400]).toContain(answer.status);
      expect((await app.rp.introspect(token)).active).toBe(true);
    }
    await app.rp.revoke(tokens.access_token, 'refresh_token');
    expect(await app.rp.introspect(tokens.access_token)).toEqual(inactive);
  });
});

describe('tokens and cookies do not replace each other', () => {
  test('an app’s access token is refused by the account API', async () => {
    const { tokens } = await world.link(agent, app.rp, { prompt: 'consent' });
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    for (const path of ['/api/account', '/api/sessions', '/api/authorizations']) {
      expect(refusal(await world.browser().get(path, { headers }))).toEqual([401, 'not_signed_in']);
    }
    const query = await world.browser().get(`/api/account?access_token=${tokens.access_token}`);
    expect(query.status).toBe(400);
    const cookie = `_session=${tokens.access_token}; _session.sig=${tokens.access_token}`;
    expect((await world.browser().get('/api/account', { headers: { cookie } })).status).toBe(401);
  });

  test('the session cookie is refused by the endpoints for apps', async () => {
    expect((await agent.get('/api/account')).status).toBe(200);
    expect((await agent.get('/oauth/userinfo')).status).toBeGreaterThanOrEqual(400);
    const cookie = /_session=([^;]+)/.exec(await agent.jar.getCookieString(world.origin))?.[1] ?? '';
    expect(cookie.length).toBeGreaterThan(20);
    const answer = await world.browser().get('/oauth/userinfo', {
      headers: { accept: 'application/json', authorization: `Bearer ${cookie}` },
    });
    expect([answer.status, answer.json().error]).toEqual([401, 'invalid_token']);
    expect(await app.rp.introspect(cookie)).toEqual({ active: false });
  });

  test('a session cookie with a wrong signature signs nobody in', async () => {
    const cookies = await agent.jar.getCookieString(world.origin);
    const forged = cookies.replace(/_session\.sig=[^;]+/, `_session.sig=${'A'.repeat(27)}`);
    expect(forged).not.toBe(cookies);
    expect((await world.browser().get('/api/account', { headers: { cookie: forged } })).status).toBe(401);
  });
});
