import { clientApi } from '@candela/contract';
import type { TokenDraft } from '@candela/server/registration-token';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../support/random.ts';
import { createRelyingParty } from '../support/relying-party.ts';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import type { Answer } from '../support/user-agent.ts';
import { untilLockWaits } from '../support/waiting-for-lock.ts';

let world: SecureWorld;
let token: string;
beforeAll(async () => {
  world = await createSecureWorld({ env: { DYNAMIC_REGISTRATION: 'token', NATIVE_SCHEMES: 'lamps' } });
  ({ token } = await world.issueRegistrationToken({ maxUses: 1_000 }));
});
afterAll(() => world.close());

const CALLBACK = 'https://app.example/callback';
const web = { client_name: 'Weather Lamp', redirect_uris: [CALLBACK] };

interface Call {
  bearer?: string | undefined;
  json?: unknown;
  headers?: Record<string, string>;
}

/** A program’s request: no cookie, no origin. */
const call = (method: string, target: string, { bearer, json, headers = {} }: Call = {}): Promise<Answer> =>
  world.browser().request(method, target, {
    ...(json !== undefined && { json }),
    headers: {
      origin: '',
      'sec-fetch-site': '',
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...headers,
    },
  });

const register = (json: unknown, bearer = token) => call('POST', '/oauth/register', { bearer, json });

const issue = async (policy: Partial<TokenDraft['policy']>, more: Partial<TokenDraft> = {}) => {
  const full = { presets: ['web', 'spa', 'native'] as const, redirectHosts: ['app.example'], ...policy };
  return (await world.issueRegistrationToken({ policy: full, ...more })).token;
};

const strange = [
  null,
  true,
  -1,
  1e308,
  '',
  ' ',
  '\u202e\ufeff',
  '%00',
  'a'.repeat(5_000),
  '[object Object]',
  'https://',
  'https://app.example\\@evil.example/',
  'https://app.example%2f@evil.example/',
  'https://[::1]:443/',
  'http://127.0.0.1:0/',
  'urn:ietf:params:oauth:grant-type:device_code',
  [],
  [[]],
  [null],
  ['https://app.example/', 'https://app.example/'],
  ['https://app.example/\t'],
  ['authorization_code', 'authorization_code'],
  ['client_credentials'],
  {},
  { keys: [{}] },
  { keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }] },
  { openid: 'to know who you are' },
  JSON.parse('{"__proto__":{"verified":true}}'),
] as const;

/** What a refusal must leave as it was. */
const countRows = async () => {
  const tables = ['client', 'client_secret', 'client_change', 'dynamic_client'] as const;
  const counts = tables.map(async (table) => {
    const { n } = await world.db
      .selectFrom(table)
      .select((of) => of.fn.countAll().as('n'))
      .executeTakeFirstOrThrow();
    return Number(n);
  });
  const uses = world.db
    .selectFrom('registration_token')
    .select((of) => of.fn.sum('uses').as('n'))
    .executeTakeFirstOrThrow();
  return [...(await Promise.all(counts)), Number((await uses).n)];
};

describe('a registration', () => {
  test('is answered with all that is registered, the secret and the registration access token, once', async () => {
    const answer = await register({
      ...web,
      software_id: 'lamp',
      hue: 'blue',
      software_statement: 'e30.e30.',
    });
    expect(answer.status, answer.body).toBe(201);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { client_id, ...information } = answer.json();
    expect(information).toMatchObject({
      ...web,
      preset: 'web',
      software_id: 'lamp',
      application_type: 'web',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      id_token_signed_response_alg: 'RS256',
      client_id_issued_at: expect.any(Number),
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
      client_secret_expires_at: 0,
      registration_access_token: expect.stringMatching(/^[\w-]{43}$/),
      registration_client_uri: `${world.origin}/oauth/register/${client_id}`,
    });
    expect(information).not.toHaveProperty('hue');
    const stored = JSON.stringify([
      await world.db.selectFrom('client_secret').selectAll().execute(),
      await world.db.selectFrom('dynamic_client').selectAll().execute(),
      await world.db.selectFrom('client_change').selectAll().execute(),
      await world.db.selectFrom('registration_token').selectAll().execute(),
    ]);
    for (const secret of [information.client_secret, information.registration_access_token, token])
      expect(stored).not.toContain(secret);
    const client = await world.findClient(client_id);
    expect(client).toMatchObject({ source: 'dynamic', firstParty: false, brand: world.config.brands[0].id });
  });

  test.each([
    ['web', {}],
    ['spa', { token_endpoint_auth_method: 'none' }],
    ['native', { redirect_uris: ['http://127.0.0.1/callback'] }],
    [
      'native',
      { redirect_uris: ['http://localhost:6274/oauth/callback'], token_endpoint_auth_method: 'none' },
    ],
    ['native', { redirect_uris: ['example.app:/callback'] }],
    ['native', { application_type: 'native' }],
    [
      'device',
      {
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
        response_types: [],
        redirect_uris: [],
      },
    ],
    ['machine', { grant_types: ['client_credentials'], response_types: [], redirect_uris: undefined }],
  ])('is of preset %s by %j', async (preset, metadata) => {
    const answer = await register({ ...web, ...metadata });
    expect(answer.status, answer.body).toBe(201);
    expect(answer.json().preset).toBe(preset);
    expect('client_secret' in answer.json()).toBe(preset === 'web' || preset === 'machine');
  });

  const LOOPBACK = 'http://localhost:8787/callback';
  const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      'a scheme that no operator listed',
      {
        redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback', CALLBACK, LOOPBACK],
        token_endpoint_auth_method: 'none',
      },
      { preset: 'native', redirect_uris: [CALLBACK, LOOPBACK] },
    ],
    [
      'such a scheme beside an address that makes it an app of a browser',
      { redirect_uris: ['cursor://callback', CALLBACK], token_endpoint_auth_method: 'none' },
      { preset: 'spa', redirect_uris: [CALLBACK] },
    ],
    [
      'nothing of a scheme that an operator listed',
      { redirect_uris: ['lamps://callback', LOOPBACK] },
      { preset: 'native', redirect_uris: ['lamps://callback', LOOPBACK] },
    ],
    ['scopes that nobody grants', { scope: 'openid claudeai clients' }, { scope: 'openid' }],
    ['all scopes, where nobody grants one', { scope: 'claudeai' }, { scope: undefined }],
    [
      'a secret that a native app does not have',
      { redirect_uris: [LOOPBACK], token_endpoint_auth_method: 'client_secret_post' },
      { preset: 'native', token_endpoint_auth_method: 'none', client_secret: undefined },
    ],
    [
      'a way of using a secret that no client has',
      { token_endpoint_auth_method: 'client_secret_jwt' },
      { preset: 'web', token_endpoint_auth_method: 'client_secret_basic', client_secret: expect.any(String) },
    ],
    [
      'nothing of an editor’s three grant types',
      {
        redirect_uris: [CALLBACK, 'http://127.0.0.1/', 'http://127.0.0.1:33418/'],
        grant_types: ['authorization_code', 'refresh_token', DEVICE_CODE],
        token_endpoint_auth_method: 'none',
      },
      { preset: 'native', grant_types: ['authorization_code', 'refresh_token', DEVICE_CODE] },
    ],
  ])('leaves out or replaces %s, and its answer has what is registered', async (_name, sent, expected) => {
    const answer = await register({ ...web, ...sent });
    expect(answer.status, answer.body).toBe(201);
    const { registration_client_uri: uri, registration_access_token: bearer, ...registered } = answer.json();
    for (const [field, value] of Object.entries(expected))
      expect([field, registered[field]]).toEqual([field, value]);
    const { client_secret: _secret, ...read } = expected;
    expect((await call('GET', uri, { bearer })).json()).toMatchObject(JSON.parse(JSON.stringify(read)));
  });

  test('has no address of another host to show, and one of its own', async () => {
    const foreign = {
      client_uri: 'https://bank.example/',
      logo_uri: 'https://bank.example/logo.png',
      policy_uri: 'https://bank.example/privacy',
    };
    const answer = await register({ ...web, ...foreign, tos_uri: 'https://app.example/terms' });
    expect(answer.status, answer.body).toBe(201);
    for (const field of Object.keys(foreign)) expect(answer.json()).not.toHaveProperty(field);
    expect(answer.json().tos_uri).toBe('https://app.example/terms');
  });

  test('without a name has the host where it is answered for one', async () => {
    const answer = await register({ redirect_uris: [CALLBACK] });
    expect(answer.json().client_name).toBe('app.example');
  });

  test('of an app in a browser is open to its origin, which sends no cookies', async () => {
    const headers = {
      origin: 'https://inspector.example',
      'sec-fetch-site': 'cross-site',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    };
    const preflight = await call('OPTIONS', '/oauth/register', { headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization, content-type',
    });
    const answer = await call('POST', '/oauth/register', { bearer: token, json: web, headers });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([201, '*']);
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });
});

describe('a registration is refused, and nothing is stored (OA24):', () => {
  const TOO_LONG = `https://app.example/${'a'.repeat(2_048)}`;
  const key = { kty: 'EC', crv: 'P-256', x: 'a', y: 'b', d: 'c' };

  test.each<[string, string, Record<string, unknown>, string]>([
    [
      'a host of another',
      'invalid_redirect_uri',
      { redirect_uris: ['https://evil.example/'] },
      'redirect_uris[0] leads to "evil.example": the initial access token is for app.example',
    ],
    [
      'a host that only ends alike',
      'invalid_redirect_uri',
      { redirect_uris: [CALLBACK, 'https://my.app.example/'] },
      'redirect_uris[1] leads to "my.app.example"',
    ],
    [
      'another port',
      'invalid_redirect_uri',
      { redirect_uris: ['https://app.example:8443/'] },
      'redirect_uris[0] leads to "app.example:8443"',
    ],
    [
      'javascript:',
      'invalid_redirect_uri',
      { redirect_uris: ['javascript:alert(1)'] },
      'redirect_uris[0] has the scheme',
    ],
    [
      'data:',
      'invalid_redirect_uri',
      { redirect_uris: ['data:text/html,a'], application_type: 'native' },
      'redirect_uris[0] has the scheme',
    ],
    [
      'plain http',
      'invalid_redirect_uri',
      { redirect_uris: ['http://app.example/callback'] },
      'redirect_uris[0] must be https',
    ],
    [
      'this machine, for a web app',
      'invalid_redirect_uri',
      { redirect_uris: ['http://localhost/cb'], application_type: 'web' },
      'redirect_uris[0] leads to this machine, which takes application_type "native"',
    ],
    [
      'the scheme of another app',
      'invalid_redirect_uri',
      { redirect_uris: ['com.bank:/cb'] },
      'redirect_uris[0] leads to "com.bank:"',
    ],
    [
      'a wildcard',
      'invalid_redirect_uri',
      { redirect_uris: ['https://*.app.example/'] },
      'redirect_uris[0] must not have a wildcard',
    ],
    [
      'a backslash, before which some see the host end and others do not',
      'invalid_redirect_uri',
      { redirect_uris: [String.raw`https://app.example\@evil.example/`] },
      'redirect_uris[0] has characters that no URI has',
    ],
    [
      'a tab',
      'invalid_redirect_uri',
      { redirect_uris: ['https://app.example/\t'] },
      'redirect_uris[0] has characters that no URI has',
    ],
    [
      'letters that are not ASCII',
      'invalid_redirect_uri',
      { redirect_uris: ['https://app.example/ü'] },
      'redirect_uris[0] has characters that no URI has',
    ],
    [
      'a text that turns round',
      'invalid_redirect_uri',
      { redirect_uris: ['https://app.example/\u202e'] },
      'redirect_uris[0] has characters that no URI has',
    ],
    [
      'a fragment',
      'invalid_redirect_uri',
      { redirect_uris: [`${CALLBACK}#here`] },
      'redirect_uris[0] must not have a fragment',
    ],
    [
      'credentials',
      'invalid_redirect_uri',
      { redirect_uris: ['https://a:b@app.example/'] },
      'redirect_uris[0] must not have credentials',
    ],
    ['no redirect URI', 'invalid_redirect_uri', { redirect_uris: [] }, 'redirect_uris is missing'],
    [
      'a redirect URI of another type',
      'invalid_redirect_uri',
      { redirect_uris: CALLBACK },
      'redirect_uris has a value of the wrong type',
    ],
    [
      'an oversized redirect URI',
      'invalid_redirect_uri',
      { redirect_uris: [TOO_LONG] },
      'redirect_uris[0] is too long',
    ],
    [
      'too many redirect URIs',
      'invalid_redirect_uri',
      { redirect_uris: Array(51).fill(CALLBACK) },
      'redirect_uris is too long',
    ],
    [
      'a sign-out at another host',
      'invalid_client_metadata',
      { post_logout_redirect_uris: ['https://evil.example/'] },
      'post_logout_redirect_uris[0] leads to',
    ],
    [
      'back-channel logout at another host',
      'invalid_client_metadata',
      { backchannel_logout_uri: 'https://evil.example/' },
      'backchannel_logout_uri leads to',
    ],
    [
      'a policy in a script',
      'invalid_client_metadata',
      { policy_uri: 'javascript:alert(1)' },
      'policy_uri has the scheme "javascript:"',
    ],
    ['a logo as data', 'invalid_client_metadata', { logo_uri: 'data:image/png;base64,AA==' }, 'logo_uri'],
    [
      'a preset that is not of the token',
      'invalid_client_metadata',
      { preset: 'fapi', jwks_uri: 'https://app.example/jwks' },
      'preset must be',
    ],
    ['an unknown preset', 'invalid_client_metadata', { preset: 'lamp' }, 'preset must be'],
    [
      'the implicit grant',
      'invalid_client_metadata',
      { grant_types: ['implicit'], response_types: ['id_token'] },
      'grant_types must',
    ],
    [
      'a private key',
      'invalid_client_metadata',
      { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key] } },
      'jwks must have public keys only',
    ],
    ...['userinfo_signed_response_alg', 'id_token_encrypted_response_alg'].map(
      (name): [string, string, Record<string, unknown>, string] => [
        `${name}, on which an app would rely`,
        'invalid_client_metadata',
        { [name]: 'RS256' },
        `${name} is not offered`,
      ],
    ),
    [
      'an unowned scheme alone',
      'invalid_redirect_uri',
      { redirect_uris: ['cursor://callback'] },
      'redirect_uris[0] has the scheme "cursor:"',
    ],
    [
      'an unowned scheme beside another fault',
      'invalid_redirect_uri',
      { redirect_uris: ['cursor://callback', 'http://app.example/'], application_type: 'native' },
      'redirect_uris[1] must be https',
    ],
    [
      'a scheme that the system carries out, whatever is beside it',
      'invalid_redirect_uri',
      { redirect_uris: ['javascript:alert(1)', CALLBACK], application_type: 'native' },
      'redirect_uris[0] has the scheme',
    ],
    [
      'keys, for a preset without',
      'invalid_client_metadata',
      { preset: 'native', token_endpoint_auth_method: 'private_key_jwt' },
      'token_endpoint_auth_method must be "none"',
    ],
    [
      'a name that mixes scripts',
      'invalid_client_metadata',
      { client_name: 'Аurelia Lamp' },
      'client_name must not mix',
    ],
    [
      'an oversized name',
      'invalid_client_metadata',
      { client_name: 'a'.repeat(61) },
      'client_name must have at most 60',
    ],
    [
      'lifetimes beyond the preset’s',
      'invalid_client_metadata',
      { access_token_ttl: 86_400 },
      'access_token_ttl must be at most 3600',
    ],
    ...['first_party', 'verified', 'disabled', 'fapi', 'bare_invalid_grant', 'google_jwks_uri'].map(
      (name): [string, string, Record<string, unknown>, string] => [
        `${name}, which only an operator sets`,
        'invalid_client_metadata',
        { [name]: true },
        `${name} is set by an operator only`,
      ],
    ),
    ['another brand', 'invalid_client_metadata', { brand: 'borealis' }, 'brand is set by an operator only'],
  ])('%s is %s', async (_name, error, metadata, description) => {
    const before = await countRows();
    const answer = await register({ ...web, ...metadata });
    expect([answer.status, answer.json().error], answer.body).toEqual([400, error]);
    expect(answer.json().error_description).toContain(description);
    expect(answer.json().error_description).toMatch(/^[\x20-\x7e]+$/);
    expect(await countRows()).toEqual(before);
  });

  test('each fault is named, with what would be right', async () => {
    const { error_description: description } = (
      await register({
        ...web,
        redirect_uris: ['https://evil.example/'],
        tos_uri: 'http://app.example/',
        access_token_ttl: 86_400,
      })
    ).json();
    for (const field of ['redirect_uris[0] leads to', 'tos_uri must be https', 'access_token_ttl must'])
      expect(description).toContain(field);
  });

  test('DR9: malformed metadata is 400, or taken, and never a fault of the server', async () => {
    const random = createRandom(20_261_122);
    const names = [
      ...Object.keys(clientApi.updateClient.body.shape),
      'preset',
      'subject_type',
      'software_id',
    ];
    await world.db.deleteFrom('rate_limit').execute();
    const taken: number[] = [];
    for (let round = 0; round < 150; round += 1) {
      const metadata = {
        ...web,
        [random.pick(names)]: random.pick(strange),
        [random.pick(names)]: random.pick(strange),
      };
      const answer = await register(metadata);
      expect([JSON.stringify(metadata).slice(0, 300), [201, 400].includes(answer.status)]).toEqual([
        expect.any(String),
        true,
      ]);
      taken.push(answer.status);
    }
    expect(new Set(taken).size).toBe(2);
  });

  test('a description has an end, however many faults there are', async () => {
    const redirect_uris = Array.from({ length: 50 }, (_, n) => `https://${'evil.'.repeat(40)}example/${n}`);
    const answer = await register({ ...web, redirect_uris });
    expect([answer.status, answer.body.length < 2_200]).toEqual([400, true]);
  });

  test.each<[string, number, Call & { raw?: string }]>([
    ['a list', 400, { json: [web] }],
    ['null', 400, { json: null }],
    ['a name twice', 400, { raw: '{"client_name":"A","client_name":"B"}' }],
    [
      'a form',
      415,
      { raw: 'client_name=A', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    ['more than 64 KiB', 413, { json: { ...web, contacts: Array(5_000).fill('someone@app.example') } }],
  ])('%s as the body is %i', async (_name, status, { raw, json, headers }) => {
    const before = await countRows();
    const answer = await world.browser().request('POST', '/oauth/register', {
      ...(raw === undefined ? { json } : { raw }),
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        origin: '',
        ...headers,
      },
    });
    expect([answer.status, answer.json().error], answer.body).toEqual([status, 'invalid_client_metadata']);
    expect(await countRows()).toEqual(before);
  });
});

describe('an initial access token (OA24, OA25)', () => {
  test('is needed, and the challenge says of what kind', async () => {
    const before = await countRows();
    const large = { ...web, contacts: Array(5_000).fill('someone@app.example') };
    expect((await call('POST', '/oauth/register', { json: large })).status).toBe(401);
    const bare = await call('POST', '/oauth/register', { json: web });
    expect([bare.status, bare.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(bare.json().error_description).toContain('send an initial access token');
    const unknown = await register(web, 'a'.repeat(43));
    expect([unknown.status, unknown.json().error]).toEqual([401, 'invalid_token']);
    expect(unknown.headers['www-authenticate']).toMatch(/^Bearer error="invalid_token", error_description="/);
    expect(await countRows()).toEqual(before);
  });

  test('is good for as many apps as its operator said, and a refused one does not count', async () => {
    const twice = await issue({}, { maxUses: 2 });
    expect((await register({ ...web, access_token_ttl: 86_400 }, twice)).status).toBe(400);
    expect((await register(web, twice)).status).toBe(201);
    expect((await register(web, twice)).status).toBe(201);
    const before = await countRows();
    expect((await register(web, twice)).json().error).toBe('invalid_token');
    expect(await countRows()).toEqual(before);
  });

  test('is no more good when it has expired or was revoked, and its apps stay', async () => {
    const { token: revoked, id } = await world.issueRegistrationToken();
    const { registration_access_token: bearer, registration_client_uri: uri } = (
      await register(web, revoked)
    ).json();
    expect(await world.revokeRegistrationToken(id)).toBe(true);
    expect((await register(web, revoked)).status).toBe(401);
    expect((await call('GET', uri, { bearer })).status).toBe(200);
    const over = await issue({}, { expiresAt: new Date(Date.now() - 1) });
    expect((await register(web, over)).status).toBe(401);
  });

  test('holds its apps to its kinds of apps', async () => {
    const native = await issue({ presets: ['native'], redirectHosts: [] });
    const answer = await register(web, native);
    expect(answer.json().error_description).toContain(
      'preset must be native with this initial access token, not web',
    );
    expect((await register({ ...web, redirect_uris: ['http://localhost/'] }, native)).status).toBe(201);
  });

  test('may be good at any host, and at one brand', async () => {
    const any = await issue({ redirectHosts: 'any' });
    expect((await register({ redirect_uris: ['https://elsewhere.example/'] }, any)).status).toBe(201);
    const ours = await issue({ brand: world.config.brands[0].id });
    expect((await register(web, ours)).status).toBe(201);
    expect((await register(web, await issue({ brand: 'borealis' }))).status).toBe(401);
  });

  test('is limited in calls beside its uses, and so is an address', async () => {
    const { token: busy, id } = await world.issueRegistrationToken();
    await register(web, busy);
    for (const key of [`registration-token ${id}`, 'registration %']) {
      await world.db.updateTable('rate_limit').set({ hits: 10_000 }).where('key', 'like', key).execute();
      const answer = await register(web, busy);
      expect([answer.status, answer.json().error]).toEqual([429, 'temporarily_unavailable']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      await world.db.deleteFrom('rate_limit').where('key', 'like', key).execute();
      expect((await register(web, busy)).status).toBe(201);
    }
  });
});

describe('a registered app (OA25, OA26)', () => {
  const registered = async (metadata: Record<string, unknown> = {}, bearer?: string) => {
    const answer = await register({ ...web, ...metadata }, bearer);
    expect(answer.status, answer.body).toBe(201);
    const information = answer.json();
    const { registration_client_uri: uri, registration_access_token: access } = information;
    return {
      information,
      uri,
      read: () => call('GET', uri, { bearer: access }),
      replace: (json: unknown) => call('PUT', uri, { bearer: access, json }),
      remove: () => call('DELETE', uri, { bearer: access }),
      access,
    };
  };

  test('links an account, and is asked about each time', async () => {
    const { information } = await registered();
    const rp = await createRelyingParty({
      issuer: world.origin,
      clientId: information.client_id,
      clientSecret: information.client_secret,
      redirectUri: CALLBACK,
    });
    const { agent } = await world.signUp();
    for (const _ of [1, 2]) {
      const { url, checks } = await rp.authorizationUrl();
      const page = await agent.navigate(url);
      expect(page.url.pathname).toBe('/consent');
      const uid = world.interactionOf(page.url);
      expect((await world.details(agent, uid)).client).toMatchObject({
        host: 'app.example',
        verified: false,
      });
      const { url: callback } = await world.approve(agent, uid);
      expect((await rp.exchange(callback, checks)).refresh_token).toBeTypeOf('string');
    }
  });

  test('reads its registration, without its secret', async () => {
    const { information, read } = await registered();
    const answer = await read();
    const { client_secret: _secret, client_secret_expires_at: _at, ...rest } = information;
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(answer.json()).toEqual(rest);
  });

  test('replaces what it said: what it leaves out is cleared, or has its default again', async () => {
    const { information, replace, read } = await registered({
      policy_uri: 'https://app.example/privacy',
      contacts: ['someone@app.example'],
      grant_types: ['authorization_code'],
    });
    const { client_id, client_secret } = information;
    const next = { client_id, client_secret, client_name: 'Weather Lamp 2', redirect_uris: [`${CALLBACK}2`] };
    const answer = await replace(next);
    expect(answer.status, answer.body).toBe(200);
    const { registration_access_token, registration_client_uri, client_id_issued_at } = information;
    expect(answer.json()).toMatchObject({
      client_id,
      client_name: 'Weather Lamp 2',
      redirect_uris: [`${CALLBACK}2`],
      grant_types: ['authorization_code', 'refresh_token'],
      registration_access_token,
      registration_client_uri,
      client_id_issued_at,
    });
    for (const field of ['policy_uri', 'contacts', 'client_secret'])
      expect(answer.json()).not.toHaveProperty(field);
    expect((await read()).json()).toEqual(answer.json());
  });

  test('becomes another kind of app, and then gets or loses its secret', async () => {
    const { information, replace } = await registered({ token_endpoint_auth_method: 'none' });
    const { client_id } = information;
    const confidential = (await replace({ ...web, client_id })).json();
    expect(confidential).toMatchObject({
      preset: 'web',
      client_secret: expect.any(String),
      client_secret_expires_at: 0,
    });
    const spa = (await replace({ ...web, client_id, token_endpoint_auth_method: 'none' })).json();
    expect(spa).toMatchObject({ preset: 'spa', token_endpoint_auth_method: 'none' });
    expect(
      await world.db.selectFrom('client_secret').select('name').where('client_id', '=', client_id).execute(),
    ).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['another client_id', { client_id: 'another' }, 'client_id must be'],
    ['no client_id', { client_id: undefined }, 'client_id must be'],
    ['another secret', { client_secret: 'a'.repeat(43) }, 'client_secret is not'],
    [
      'its registration access token',
      { registration_access_token: 'a' },
      'registration_access_token must not',
    ],
    ['its registration_client_uri', { registration_client_uri: 'a' }, 'registration_client_uri must not'],
    ['when it was issued', { client_id_issued_at: 1 }, 'client_id_issued_at must not'],
    ['the end of its secret', { client_secret_expires_at: 0 }, 'client_secret_expires_at must not'],
    [
      'a host beyond its initial access token',
      { redirect_uris: ['https://evil.example/'] },
      'redirect_uris[0] leads to',
    ],
    ['that it is verified', { verified: true }, 'verified is set'],
  ])('may not send %s', async (_name, metadata, description) => {
    const { information, replace, read } = await registered();
    const before = [(await read()).json(), await countRows()];
    const answer = await replace({ ...web, client_id: information.client_id, ...metadata });
    expect(answer.status, answer.body).toBe(400);
    expect(answer.json().error_description).toContain(description);
    expect([(await read()).json(), await countRows()]).toEqual(before);
  });

  test('is known by its own token at its own address alone', async () => {
    const [one, other] = [await registered(), await registered()];
    for (const bearer of [other.access, token, 'a'.repeat(43), undefined]) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await call(method, one.uri, { bearer, ...(method === 'PUT' && { json: web }) });
        expect([method, answer.status, answer.json().error]).toEqual([method, 401, 'invalid_token']);
        expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
      }
    }
    const { clientId } = await world.registerApp();
    expect((await call('GET', `/oauth/register/${clientId}`, { bearer: one.access })).status).toBe(401);
    expect((await one.read()).status).toBe(200);
  });

  test('that an operator disabled may not look after its registration', async () => {
    const { information, uri, access } = await registered();
    await world.disableClient(information.client_id);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await call(method, uri, { bearer: access, ...(method === 'PUT' && { json: web }) });
      expect([answer.status, answer.json().error]).toEqual([403, 'access_denied']);
    }
  });

  const rowOf = (id: string) =>
    world.db.selectFrom('client').select('metadata').where('id', '=', id).executeTakeFirst();

  /** Holds the row of the client until `ask` waits for it, and changes what the asker has seen of it. */
  const whileItIsHeld = async <T>(
    id: string,
    change: (trx: typeof world.db) => Promise<unknown>,
    ask: () => Promise<T>,
  ): Promise<T> => {
    const { asked } = await world.db.transaction().execute(async (trx) => {
      await trx.selectFrom('client').select('id').where('id', '=', id).forUpdate().execute();
      const asked = ask();
      // It has passed the first look at the client, and waits for the row.
      await untilLockWaits(world.db);
      await change(trx);
      return { asked };
    });
    return asked;
  };

  test.skipIf(!testDatabaseUrl).each(['PUT', 'DELETE'])(
    'that is disabled while it asks for a change by %s is not changed',
    async (method) => {
      const { information, uri, access } = await registered();
      const { client_id: id } = information;
      const before = await rowOf(id);
      const json = { ...web, client_id: id, client_name: 'Another Lamp' };
      const { status, ...refused } = await whileItIsHeld(
        id,
        (trx) => trx.updateTable('client').set({ disabled: true }).where('id', '=', id).execute(),
        () => call(method, uri, { bearer: access, ...(method === 'PUT' && { json }) }),
      );
      expect([status, refused.json().error]).toEqual([403, 'access_denied']);
      expect(await rowOf(id)).toEqual(before);
    },
  );

  test('ends, and everything that it was given ends with it', async () => {
    const { information, read, remove } = await registered();
    const { client_id: clientId, client_secret: clientSecret } = information;
    const rp = await createRelyingParty({
      issuer: world.origin,
      clientId,
      clientSecret,
      redirectUri: CALLBACK,
    });
    const { agent } = await world.signUp();
    const { tokens } = await world.link(agent, rp);
    expect([(await remove()).status, (await read()).status]).toEqual([204, 401]);
    await expect(rp.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({ status: 401 });
    const headers = { authorization: `Bearer ${tokens.access_token}`, origin: '' };
    expect((await world.browser().request('GET', '/oauth/userinfo', { headers })).status).toBe(401);
    expect((await agent.get('/api/authorizations')).json().items).toEqual([]);
    expect((await remove()).status).toBe(401);
    const history = await world.db
      .selectFrom('client_change')
      .select(['action', 'actor_kind', 'actor_id'])
      .where('client_id', '=', clientId)
      .orderBy('id')
      .execute();
    expect(history.map(({ action }) => action)).toEqual(['created', 'disabled', 'deleted']);
    expect(history.at(-1)).toMatchObject({ actor_kind: 'registration', actor_id: 'Test' });
  });

  test('ends when the lifetime of its initial access token is over', async () => {
    const brief = await issue({ clientSeconds: 600 });
    const { information, read } = await registered({}, brief);
    const { client_id: id, client_id_issued_at: issued, client_secret_expires_at: end } = information;
    expect(Math.abs(end - issued - 600)).toBeLessThanOrEqual(2);
    const update = world.db.updateTable('dynamic_client').where('client_id', '=', id);
    await update.set({ ends_at: new Date(Date.now() - 1) }).execute();
    expect((await read()).status).toBe(401);
    const form = { grant_type: 'authorization_code', code: 'any', redirect_uri: CALLBACK };
    const credentials = { client_id: id, client_secret: information.client_secret };
    const asked = await world
      .browser()
      .request('POST', '/oauth/token', { form: { ...form, ...credentials } });
    expect([asked.status, asked.json().error]).toEqual([401, 'invalid_client']);
    expect(await world.removeDueClients()).toBe(1);
    expect(await rowOf(id)).toBeUndefined();
  });

  test('that was left half deleted is deleted', async () => {
    const { information } = await registered();
    const { client_id } = information;
    await world.db.updateTable('client').set({ disabled: true }).where('id', '=', client_id).execute();
    expect(await world.removeDueClients()).toBe(0);
    await world.db
      .insertInto('client_change')
      .values({
        client_id,
        at: new Date(Date.now() - 61_000),
        actor_kind: 'registration',
        action: 'disabled',
        changes: '[]',
      })
      .execute();
    expect(await world.removeDueClients()).toBe(1);
  });

  test('that nobody used in 30 days is deleted; one with a link stays, and one that gets tokens', async () => {
    const [unused, linked, young] = [await registered(), await registered(), await registered()];
    const busy = await registered({ preset: 'machine', redirect_uris: undefined });
    const day = { client_id: busy.information.client_id, day: new Date(), kind: 'token', count: 1 } as const;
    await world.db.insertInto('client_day').values(day).execute();
    const { client_id: clientId, client_secret: clientSecret } = linked.information;
    const rp = await createRelyingParty({
      issuer: world.origin,
      clientId,
      clientSecret,
      redirectUri: CALLBACK,
    });
    await world.link((await world.signUp()).agent, rp);
    await world.db
      .updateTable('client')
      .set({ created_at: new Date(Date.now() - 31 * 86_400_000) })
      .where(
        'id',
        'in',
        [unused, linked, busy].map(({ information }) => information.client_id),
      )
      .execute();
    expect(await world.removeDueClients()).toBe(1);
    const answers = await Promise.all([unused, linked, young, busy].map(({ read }) => read()));
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 200, 200]);
  });

  test.skipIf(!testDatabaseUrl)('that somebody uses while it is about to be deleted stays', async () => {
    const { information } = await registered();
    const { client_id: id } = information;
    const old = { created_at: new Date(Date.now() - 31 * 86_400_000) };
    await world.db.updateTable('client').set(old).where('id', '=', id).execute();
    const day = { client_id: id, day: new Date(), kind: 'token', count: 1 } as const;
    await whileItIsHeld(
      id,
      (trx) => trx.insertInto('client_day').values(day).execute(),
      () => world.removeDueClients(),
    );
    expect(await rowOf(id)).toBeDefined();
  });

  test('has no other methods', async () => {
    const { uri } = await registered();
    for (const [method, target, allowed] of [
      ['PATCH', uri, 'GET, PUT, DELETE'],
      ['GET', '/oauth/register', 'POST'],
    ] as const) {
      const answer = await call(method, target);
      expect([answer.status, answer.headers.allow]).toEqual([405, allowed]);
    }
  });
});

test('no discovery document leads strangers to the endpoint, which refuses them', async () => {
  for (const name of ['openid-configuration', 'oauth-authorization-server'])
    expect((await world.browser().get(`/.well-known/${name}`)).json()).not.toHaveProperty(
      'registration_endpoint',
    );
});
