import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRelyingParty } from '../support/relying-party.ts';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import type { Answer } from '../support/user-agent.ts';

let world: SecureWorld;
beforeAll(async () => {
  world = await createSecureWorld({ env: { DYNAMIC_REGISTRATION: 'open', NATIVE_SCHEMES: 'cursor' } });
});
afterAll(() => world.close());

const CALLBACK = 'https://assistant.example/callback';
const LOOPBACK = 'http://localhost:6274/oauth/callback';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

const callWith = (
  headers: Record<string, string>,
  method: string,
  target: string,
  json?: unknown,
): Promise<Answer> =>
  world.browser().request(method, target, {
    ...(json !== undefined && { json }),
    headers: { origin: '', 'sec-fetch-site': '', ...headers },
  });

const call = (method: string, target: string, json?: unknown, bearer?: string): Promise<Answer> =>
  callWith(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }, method, target, json);

const register = (json: unknown, bearer?: string) => call('POST', '/oauth/register', json, bearer);

const registered = async (json: unknown) => {
  const answer = await register(json);
  expect(answer.status, answer.body).toBe(201);
  return answer.json();
};

describe('where registration is open', () => {
  test('discovery leads everybody to it', async () => {
    for (const name of ['openid-configuration', 'oauth-authorization-server']) {
      const document = (await world.browser().get(`/.well-known/${name}`)).json();
      expect(document.registration_endpoint).toBe(`${world.origin}/oauth/register`);
    }
  });

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      'an editor',
      {
        client_name: 'Cursor',
        redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback', CALLBACK, LOOPBACK],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      {
        preset: 'native',
        redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback', CALLBACK, LOOPBACK],
      },
    ],
    [
      'an assistant on the web',
      {
        client_name: 'Claude',
        redirect_uris: [CALLBACK],
        token_endpoint_auth_method: 'client_secret_post',
        scope: 'claudeai',
      },
      { preset: 'spa', token_endpoint_auth_method: 'none' },
    ],
    [
      'the example client of an SDK',
      {
        client_name: 'Simple client',
        redirect_uris: [LOOPBACK],
        token_endpoint_auth_method: 'client_secret_post',
      },
      { preset: 'native', token_endpoint_auth_method: 'none' },
    ],
    [
      'an editor that would also have the device flow',
      {
        client_name: 'Editor',
        redirect_uris: [CALLBACK, LOOPBACK],
        grant_types: ['authorization_code', 'refresh_token', DEVICE_CODE],
        token_endpoint_auth_method: 'none',
      },
      { preset: 'native', grant_types: ['authorization_code', 'refresh_token'] },
    ],
  ])('%s registers itself without a token, as a public client', async (_name, metadata, expected) => {
    const information = await registered(metadata);
    expect(information).toMatchObject({
      token_endpoint_auth_method: 'none',
      require_pkce: true,
      ...expected,
    });
    for (const field of ['client_secret', 'scope']) expect(information).not.toHaveProperty(field);
    const client = await world.findClient(information.client_id);
    expect(client).toMatchObject({ source: 'dynamic', firstParty: false, brand: world.config.brands[0].id });
  });

  test('an app without a name is called by all places where it is answered', async () => {
    const redirect_uris = ['https://a.example/cb', 'https://b.example/cb', 'cursor://x/cb', LOOPBACK];
    const native = { application_type: 'native', token_endpoint_auth_method: 'none' };
    const information = await registered({ ...native, redirect_uris });
    expect(information.client_name).toBe('a.example, b.example, cursor');
  });

  test('an app is not shown as the host that stands behind its private scheme', async () => {
    const redirect_uris = ['com.evil.app://bank.example/cb'];
    const shown = { client_uri: 'https://bank.example/', logo_uri: 'https://bank.example/logo.png' };
    const native = { application_type: 'native', token_endpoint_auth_method: 'none', redirect_uris };
    expect((await register({ ...native, client_name: 'bank.example' })).status).toBe(400);
    const information = await registered({ ...native, ...shown, client_name: 'Money' });
    for (const field of Object.keys(shown)) expect(information).not.toHaveProperty(field);
    const { agent } = await world.signUp();
    const request = new URLSearchParams({
      client_id: information.client_id,
      response_type: 'code',
      redirect_uri: redirect_uris[0] ?? '',
      scope: 'openid',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const { url } = await agent.navigate(`/oauth/authorize?${request}`);
    const { client } = await world.details(agent, world.interactionOf(url));
    expect(client).toMatchObject({ name: 'Money', host: 'com.evil.app' });
  });

  test.each<[string, Record<string, unknown>, string]>([
    [
      'a machine',
      { grant_types: ['client_credentials'], redirect_uris: undefined },
      'preset must be native or spa',
    ],
    [
      'a device',
      { grant_types: [DEVICE_CODE], response_types: [], redirect_uris: [] },
      'preset must be native',
    ],
    [
      'a client with a secret',
      { preset: 'web' },
      'preset must be native or spa without an initial access token',
    ],
    [
      'one with keys',
      { token_endpoint_auth_method: 'private_key_jwt' },
      'token_endpoint_auth_method must be',
    ],
    ['one that is verified', { verified: true }, 'verified is set by an operator only'],
    ['one named as the brand', { client_name: 'Aurelia' }, 'client_name'],
  ])('%s is refused', async (_name, metadata, description) => {
    const answer = await register({ client_name: 'Stranger', redirect_uris: [CALLBACK], ...metadata });
    expect([answer.status, answer.json().error], answer.body).toEqual([400, 'invalid_client_metadata']);
    expect(answer.json().error_description).toContain(description);
  });

  test('a stranger makes the server call nobody, and shows nothing of the hosts of others', async () => {
    const stranger = {
      client_name: 'Stranger',
      redirect_uris: [CALLBACK],
      client_uri: 'https://assistant.example/',
      logo_uri: 'https://bank.example/logo.png',
      jwks_uri: 'https://assistant.example/jwks',
      sector_identifier_uri: 'https://assistant.example/sector',
      backchannel_logout_uri: 'https://assistant.example/logout',
    };
    const information = await registered(stranger);
    expect(information.client_uri).toBe(stranger.client_uri);
    for (const field of ['logo_uri', 'jwks_uri', 'sector_identifier_uri', 'backchannel_logout_uri'])
      expect(information).not.toHaveProperty(field);
    // Of two hosts either may be another's.
    const two = await registered({ ...stranger, redirect_uris: [CALLBACK, 'https://bank.example/'] });
    expect(two).not.toHaveProperty('client_uri');
    expect(two).not.toHaveProperty('logo_uri');
  });

  test('such an app links an account, is unverified and asked about each time', async () => {
    const { client_id: clientId } = await registered({ client_name: 'Assistant', redirect_uris: [LOOPBACK] });
    const rp = await createRelyingParty({ issuer: world.origin, clientId, redirectUri: LOOPBACK });
    const { agent } = await world.signUp();
    for (const _ of [1, 2]) {
      const { url, checks } = await rp.authorizationUrl();
      const page = await agent.navigate(url);
      expect(page.url.pathname).toBe('/consent');
      const uid = world.interactionOf(page.url);
      expect((await world.details(agent, uid)).client).toMatchObject({ verified: false });
      const { url: callback } = await world.approve(agent, uid);
      expect((await rp.exchange(callback, checks)).refresh_token).toBeTypeOf('string');
    }
  });

  test('such an app looks after its registration, by the same rules', async () => {
    const information = await registered({ client_name: 'Assistant', redirect_uris: [CALLBACK] });
    const { client_id, registration_client_uri: uri, registration_access_token: access } = information;
    const next = { client_id, client_name: 'Assistant', redirect_uris: [LOOPBACK] };
    expect((await call('PUT', uri, next, access)).json()).toMatchObject({ preset: 'native', ...next });
    expect((await call('PUT', uri, { ...next, preset: 'web' }, access)).status).toBe(400);
    expect((await call('DELETE', uri, undefined, access)).status).toBe(204);
    const history = await world.db
      .selectFrom('client_change')
      .select(['action', 'actor_kind', 'actor_id'])
      .where('client_id', '=', client_id)
      .orderBy('id')
      .execute();
    expect(history.map(({ action }) => action)).toEqual(['created', 'updated', 'disabled', 'deleted']);
    for (const { actor_kind, actor_id } of history)
      expect([actor_kind, actor_id]).toEqual(['registration', null]);
  });

  test('an initial access token registers what it may, as ever; a wrong one is no stranger’s', async () => {
    const { token } = await world.issueRegistrationToken();
    const web = { client_name: 'Weather Lamp', redirect_uris: ['https://app.example/callback'] };
    expect((await register(web, token)).json()).toMatchObject({
      preset: 'web',
      client_secret: expect.any(String),
    });
    expect((await register(web, 'a'.repeat(43))).json().error).toBe('invalid_token');
  });

  test.each(['Bearer %%%', 'Bearer', 'Bearer a b', 'Basic YTpi', 'a'.repeat(43)])(
    'who sends the Authorization header %j is no stranger, and told what to send',
    async (authorization) => {
      const app = { client_name: 'Assistant', redirect_uris: [LOOPBACK] };
      const answer = await callWith({ authorization }, 'POST', '/oauth/register', app);
      expect([answer.status, answer.json().error]).toEqual([401, 'invalid_token']);
      expect(answer.headers['www-authenticate']).toMatch(
        /^Bearer error="invalid_token", error_description="/,
      );
    },
  );

  test('strangers are limited by address and all together, and holders of tokens are not', async () => {
    const { token } = await world.issueRegistrationToken({
      policy: { presets: ['native'], redirectHosts: [] },
    });
    const app = { client_name: 'Assistant', redirect_uris: [LOOPBACK] };
    await register(app);
    for (const key of ['registration-open %', 'registration-open-hour', 'registration-open-day']) {
      const limit = world.db.updateTable('rate_limit').where('key', 'like', key);
      await limit.set({ hits: 10_000 }).execute();
      const answer = await register(app);
      expect([key, answer.status, answer.json().error]).toEqual([key, 429, 'temporarily_unavailable']);
      expect((await register(app, token)).status).toBe(201);
      await world.db.deleteFrom('rate_limit').where('key', 'like', key).execute();
      expect((await register(app)).status).toBe(201);
      const { token: another } = await world.issueRegistrationToken({
        policy: { presets: ['native'], redirectHosts: [] },
      });
      expect((await register(app, another)).status).toBe(201);
    }
  });

  test('a registration that is refused costs its sender alone', async () => {
    const app = { client_name: 'Assistant', redirect_uris: [LOOPBACK] };
    const counted = async () => {
      const { rows } = await sql<{ key: string; hits: number }>`
        select key, hits from rate_limit where key like 'registration-open%' order by key collate "C"`.execute(
        world.db,
      );
      return rows.map(({ hits }) => hits);
    };
    await registered(app);
    const [ofAddress = 0, ofNetwork = 0, ofDay = 0, ofHour = 0] = await counted();
    for (const wrong of [{}, { ...app, client_name: 'Aurelia' }, { ...app, redirect_uris: ['data:,'] }])
      expect((await register(wrong)).status).toBe(400);
    expect(await counted()).toEqual([ofAddress + 3, ofNetwork + 3, ofDay, ofHour]);
    await registered(app);
    expect(await counted()).toEqual([ofAddress + 4, ofNetwork + 4, ofDay + 1, ofHour + 1]);
  });

  test('what nobody used in 30 days is deleted', async () => {
    const app = { client_name: 'Assistant', redirect_uris: [LOOPBACK] };
    const [idle, young] = [await registered(app), await registered(app)];
    await world.db
      .updateTable('client')
      .set({ created_at: new Date(Date.now() - 31 * 86_400_000) })
      .where('id', '=', idle.client_id)
      .execute();
    expect(await world.removeDueClients()).toBe(1);
    expect(await world.findClient(idle.client_id)).toBeUndefined();
    expect(await world.findClient(young.client_id)).toBeDefined();
  });
});
