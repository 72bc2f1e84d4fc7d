import type { JWK } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startHttpsServer } from '../support/https-server.ts';
import { type Platform, registerPlatform } from '../support/platform.ts';
import { createSigningKey, type SigningKey, signAssertion } from '../support/signer.ts';
import { createWorld, type World } from '../support/world.ts';

/**
 * Streamlined linking, as these pages had it in November 2026:
 * https://developers.google.com/identity/account-linking/oauth-with-sign-in-linking
 * https://developers.google.com/identity/account-linking/your-api-reference
 */
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const OUR_ID = '123-brand.apps.googleusercontent.com';
const redirectUri = 'https://oauth-redirect.googleusercontent.com/r/our-lights-1a2b3';

let world: World;
let google: Platform;
/** Google’s host for its keys. */
let host: Awaited<ReturnType<typeof startHttpsServer>>;
let key: SigningKey;
let published: JWK[] = [];
let fetched = 0;

const publishedOf = (of: SigningKey, kid: string): JWK => ({ ...of.jwk, kid, use: 'sig', alg: 'RS256' });

const register = (metadata: Record<string, unknown> = {}) =>
  registerPlatform(world, {
    metadata: {
      client_name: 'Google Home',
      preset: 'google-home',
      project_id: 'our-lights-1a2b3',
      google_client_ids: OUR_ID,
      google_creates_accounts: true,
      google_jwks_uri: `https://${host.host}/certs`,
      ...metadata,
    },
    redirectUri,
    authentication: 'body',
  });

beforeAll(async () => {
  host = await startHttpsServer((incoming, outgoing) => {
    fetched += 1;
    if (incoming.url === '/away') return outgoing.writeHead(500).end();
    return outgoing.end(JSON.stringify({ keys: published }));
  });
  key = await createSigningKey('RS256');
  published = [publishedOf(key, 'first')];
  world = await createWorld({ env: { BACKCHANNEL_HOSTS: host.host } });
  google = await register();
});
afterAll(async () => {
  await world.close();
  await host.close();
});

let person = 0;
/** Another person of Google for each test. */
let subject: string;
let email: string;
beforeEach(() => {
  person += 1;
  subject = `1100${person}`;
  email = `person.${person}@gmail.com`;
});

interface Signed {
  sign?: SigningKey;
  kid?: string;
  alg?: string;
}

const seconds = () => Math.floor(Date.now() / 1000);

/** An ID token of Google for the person of the test, except for `claims`. */
const idToken = (
  claims: Record<string, unknown> = {},
  { sign = key, kid = 'first', alg = 'RS256' }: Signed = {},
) =>
  signAssertion(
    sign,
    { clientId: 'https://accounts.google.com', audience: OUR_ID },
    {
      sub: subject,
      email,
      email_verified: true,
      exp: seconds() + 3600,
      name: 'Ada',
      locale: 'ru',
      ...claims,
    },
    { alg, kid },
  );

const ask = async (intent: string, assertion: string, at = google, form: Record<string, string> = {}) => {
  const { status, body } = await at.post('/oauth/token', {
    grant_type: JWT_BEARER,
    intent,
    assertion,
    scope: 'openid profile',
    ...form,
  });
  return { status, body };
};

const create = async (claims: Record<string, unknown> = {}) => ask('create', await idToken(claims));
const get = async (claims: Record<string, unknown> = {}) => ask('get', await idToken(claims));

const personIsAsked = (hint = email) => ({
  status: 401,
  body: { error: 'linking_error', login_hint: hint },
});

const countAccounts = async () => (await world.db.selectFrom('account').select('id').execute()).length;
const countGrants = async () =>
  (await world.db.selectFrom('authorization_grant').select('id').execute()).length;

/** The person has no password yet. */
const signInByCode = async () => {
  const agent = world.browser();
  const { url } = await agent.navigate('/login');
  const code = await world.receiveCode(agent, email, 'login');
  const answer = await agent.post(`/interaction/${world.interactionOf(url)}/login`, {
    identifier: email,
    code,
  });
  await agent.navigate(answer.json().returnTo);
  return agent;
};

/** Signs in by the browser that Google opens, and approves. */
const linkInBrowser = async (agent: Awaited<ReturnType<World['signUp']>>['agent']) =>
  google.link(agent, { login_hint: email });

describe('Google asks whether a person has an account', () => {
  test('and hears no, then yes, by the verified address or by the person', async () => {
    const asked = async (claims = {}) => ask('check', await idToken(claims));
    expect(await asked()).toEqual({ status: 404, body: { account_found: 'false' } });
    await world.signUp(email);
    expect(await asked()).toEqual({ status: 200, body: { account_found: 'true' } });
    expect(await asked({ email_verified: false })).toEqual({ status: 404, body: { account_found: 'false' } });

    const made = { sub: `${subject}-made`, email: `made.${email}` };
    expect((await create(made)).status).toBe(200);
    expect((await asked({ ...made, email: `renamed.${email}` })).body).toEqual({ account_found: 'true' });
  });

  test('as often as it likes with one assertion, which then still links', async () => {
    const assertion = await idToken();
    for (let round = 0; round < 3; round += 1)
      expect((await ask('check', assertion)).body).toEqual({ account_found: 'false' });
    expect((await ask('create', assertion)).status).toBe(200);
  });
});

describe('Google asks for a new account', () => {
  test('and gets tokens that refresh, use and revoke as those of any link', async () => {
    const { status, body } = await create();
    expect([status, body]).toEqual([
      200,
      {
        token_type: 'Bearer',
        access_token: expect.any(String),
        refresh_token: expect.any(String),
        expires_in: 3600,
        refresh_token_timeout: expect.any(Number),
        scope: 'openid profile',
      },
    ]);
    expect(await google.use(body.access_token)).toBe(200);
    const again = await google.refresh(body.refresh_token);
    expect(again.status).toBe(200);
    expect(await google.introspect(again.body.access_token)).toMatchObject({
      active: true,
      scope: 'openid profile',
    });
    const grant = await world.db
      .selectFrom('authorization_grant')
      .select(['has_refresh_token', 'google_token_hash'])
      .where('client_id', '=', google.clientId)
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow();
    expect(grant).toEqual({ has_refresh_token: true, google_token_hash: expect.any(String) });
    expect((await google.revoke(body.refresh_token)).status).toBe(200);
    expect((await google.refresh(body.refresh_token)).status).toBe(400);
  });

  test('of which its person is told, in their language, and which they sign in to with a code', async () => {
    await create();
    const told = await world.lastMessageTo(email);
    expect(told).toMatchObject({ purpose: 'account_created', locale: 'ru' });
    expect(told.text).toContain('Google Home');
    const agent = await signInByCode();
    const { items } = (await agent.get('/api/authorizations')).json();
    expect(items).toMatchObject([{ client: { name: 'Google Home' }, link: { state: 'working' } }]);
  });

  test('and the agreements are recorded as accepted at Google, in the versions of today', async () => {
    await create();
    const rows = await world.db
      .selectFrom('agreement_acceptance')
      .innerJoin('account_identifier', 'account_identifier.account_id', 'agreement_acceptance.account_id')
      .select(['agreement_id', 'client_id', 'locale'])
      .where('account_identifier.value', '=', email)
      .orderBy('agreement_id')
      .execute();
    expect(rows).toEqual(
      ['privacy', 'terms'].map((id) => ({ agreement_id: id, client_id: google.clientId, locale: 'ru' })),
    );
  });

  test('but the person is asked where the address or the person has an account', async () => {
    await world.signUp(email);
    const accounts = await countAccounts();
    expect(await create()).toEqual(personIsAsked());
    const made = { sub: `${subject}-made`, email: `made.${email}` };
    expect((await create(made)).status).toBe(200);
    expect(await create(made)).toEqual(personIsAsked(made.email));
    const renamed = { ...made, email: `renamed.${email}` };
    expect(await create(renamed)).toEqual(personIsAsked(renamed.email));
    expect(await countAccounts()).toBe(accounts + 1);
  });

  test.each([
    ['elsewhere', 'person@home.example', {}, 401],
    ['not verified', 'person@gmail.com', { email_verified: false }, 401],
    ['of Google Workspace', 'person@company.example', { hd: 'company.example' }, 200],
  ])('for an address %s: %s is answered by who Google speaks for', async (_what, address, claims, status) => {
    const accounts = await countAccounts();
    const answer = await create({ email: `p${person}.${address}`, ...claims });
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer).toEqual(personIsAsked(`p${person}.${address}`));
    expect(await countAccounts()).toBe(accounts + (status === 200 ? 1 : 0));
  });

  test('but none is made where the brand has not said that Google shows its agreements', async () => {
    const careful = await register({ google_creates_accounts: undefined });
    expect(await ask('create', await idToken(), careful)).toEqual(personIsAsked());
  });
});

describe('OA36: Google asks to link', () => {
  test('an account that it had made, and gets tokens for as long as the person withdraws nothing', async () => {
    const first = (await create()).body;
    const { status, body } = await get();
    expect([status, body.token_type]).toEqual([200, 'Bearer']);
    expect(body.refresh_token).not.toBe(first.refresh_token);
    expect((await google.refresh(body.refresh_token)).status).toBe(200);
    expect((await google.revoke(body.refresh_token)).status).toBe(200);
    expect((await get()).status).toBe(200);

    const agent = await signInByCode();
    await agent.delete('/api/authorizations');
    expect(await get()).toEqual(personIsAsked());
    expect((await google.refresh((await linkInBrowser(agent)).refresh_token)).status).toBe(200);
    expect((await get()).status).toBe(200);
  });

  test('an account of the person’s own: the person is asked first, always', async () => {
    const { agent } = await world.signUp(email);
    const grants = await countGrants();
    expect(await get()).toEqual(personIsAsked());
    expect(await countGrants()).toBe(grants);
    const { refresh_token: kept } = await linkInBrowser(agent);
    expect((await google.refresh(kept)).status).toBe(200);
    expect(await get()).toEqual(personIsAsked());
  });

  test('an account that it had made for somebody else who had the address', async () => {
    await create();
    expect(await get({ sub: `${subject}-other` })).toEqual(personIsAsked());
  });

  test('more than the person had approved', async () => {
    await create();
    const answer = await ask('get', await idToken(), google, { scope: 'openid profile email' });
    expect(answer).toEqual(personIsAsked());
  });

  test.each([
    ['a new password', { changed_at: new Date(Date.now() + 60_000) }],
    ['a second factor', 'totp'],
    ['an operator who disabled it', 'disabled'],
    ['another address in place of that one', 'address'],
  ])('an account with %s: the person is asked', async (_what, change) => {
    await create();
    const { account_id: id } = await world.db
      .selectFrom('account_identifier')
      .select('account_id')
      .where('value', '=', email)
      .executeTakeFirstOrThrow();
    if (typeof change === 'object')
      await world.db
        .insertInto('password')
        .values({ account_id: id, hash: 'x', ...change })
        .execute();
    if (change === 'totp')
      await world.db
        .insertInto('totp')
        .values({
          account_id: id,
          sealed_secret: 'x',
          session_uid: null,
          started_at: new Date(),
          active_since: new Date(),
        })
        .execute();
    if (change === 'disabled')
      await world.db.updateTable('account').set({ status: 'disabled' }).where('id', '=', id).execute();
    if (change === 'address')
      await world.db
        .updateTable('account_identifier')
        .set({ value: `new.${email}`, display: `new.${email}` })
        .where('account_id', '=', id)
        .execute();
    const grants = await countGrants();
    expect(await get()).toEqual(personIsAsked());
    expect(await countGrants()).toBe(grants);
  });
});

describe('OA36: an assertion is refused with invalid_grant, and nothing is linked', () => {
  const refused = { status: 400, body: { error: 'invalid_grant' } };
  const HOUR = 3600;

  test.each<[string, Record<string, unknown>]>([
    ['for another audience', { aud: '456-other.apps.googleusercontent.com' }],
    ['for several audiences', { aud: [OUR_ID, '456-other.apps.googleusercontent.com'] }],
    ['of another issuer', { iss: 'https://accounts.google.example' }],
    ['that has expired', { iat: seconds() - HOUR - 120, exp: seconds() - 61 }],
    ['that is older than an hour', { iat: seconds() - HOUR - 120, exp: seconds() + HOUR }],
    ['of the future', { iat: seconds() + 300 }],
    ['without an end', { exp: undefined }],
    ['that lasts for longer than an hour', { exp: seconds() + 2 * HOUR }],
    ['whose end no clock reaches', { exp: 9e15 }],
    ['without a person', { sub: undefined }],
    ['with a person whom no database can hold', { sub: '11016\0' }],
    ['without an address', { email: undefined }],
    ['with an address that is none', { email: 'Ada <a@gmail.com>' }],
  ])('%s', async (_what, claims) => {
    const before = [await countAccounts(), await countGrants()];
    for (const intent of ['check', 'get', 'create'])
      expect(await ask(intent, await idToken(claims))).toEqual(refused);
    expect([await countAccounts(), await countGrants()]).toEqual(before);
  });

  test('with another key, another algorithm, no signature, or that is no JWT', async () => {
    const [stranger, ec] = [await createSigningKey('RS256'), await createSigningKey('ES256')];
    published = [publishedOf(key, 'first'), { ...ec.jwk, kid: 'ec', use: 'sig', alg: 'ES256' }];
    const [head = '', body = '', signature = ''] = (await idToken()).split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    for (const assertion of [
      await idToken({}, { sign: stranger }),
      await idToken({}, { sign: ec, alg: 'ES256', kid: 'ec' }),
      `${none}.${body}.`,
      `${head}.${body}.${signature.slice(2)}`,
      'not a token',
    ])
      expect(await ask('create', assertion)).toEqual(refused);
  });

  test('that was used, also with its signature written in another way', async () => {
    const [made, linked] = [await idToken({}), await idToken({ nonce: 'of another moment' })];
    expect((await ask('create', made)).status).toBe(200);
    expect(await ask('get', made)).toEqual(refused);
    expect((await ask('get', linked)).status).toBe(200);
    const grants = await countGrants();
    expect(await ask('get', linked)).toEqual(refused);
    expect(await ask('get', `${linked}=`)).toEqual(refused);
    expect(await ask('create', linked)).toEqual(personIsAsked());
    expect(await countGrants()).toBe(grants);
  });
});

describe('the request is refused', () => {
  test('of a client without the field, or of another preset', async () => {
    const plain = await register({
      google_client_ids: undefined,
      google_creates_accounts: undefined,
      google_jwks_uri: undefined,
    });
    const alexa = await registerPlatform(world, {
      metadata: { preset: 'alexa', vendor_id: 'M2AAAAAAAAAAAA' },
      redirectUri: 'https://layla.amazon.com/api/skill/link/M2AAAAAAAAAAAA',
      authentication: 'body',
    });
    for (const client of [plain, alexa])
      for (const intent of ['check', 'get', 'create'])
        expect(await ask(intent, await idToken(), client)).toMatchObject({
          status: 400,
          body: { error: 'unauthorized_client' },
        });
  });

  test('with another intent or none, or without an assertion', async () => {
    const invalid = { status: 400, body: { error: 'invalid_request' } };
    expect(await ask('delete', await idToken())).toMatchObject(invalid);
    const { status, body } = await google.post('/oauth/token', { grant_type: JWT_BEARER, intent: 'get' });
    expect({ status, body }).toMatchObject(invalid);
  });

  test('with a wrong secret, before anything is said of the person', async () => {
    const { status, body } = await google.post('/oauth/token', {
      grant_type: JWT_BEARER,
      intent: 'check',
      assertion: await idToken(),
    });
    expect([status, body.account_found]).toEqual([404, 'false']);
    const answer = await fetch(`${world.origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: google.clientId,
        client_secret: 'x'.repeat(32),
        grant_type: JWT_BEARER,
        intent: 'check',
        assertion: await idToken(),
      }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([401, { error: 'invalid_client' }]);
  });

  test('with 503 while the keys cannot be fetched, and they are fetched at the next request', async () => {
    const away = await register({ google_jwks_uri: `https://${host.host}/away` });
    expect(await ask('create', await idToken(), away)).toEqual({
      status: 503,
      body: { error: 'temporarily_unavailable' },
    });
  });
});

test('the keys are fetched once, and anew for a key that is not among them', async () => {
  const other = await register({ google_jwks_uri: `https://${host.host}/rotating` });
  const [before, next] = [fetched, await createSigningKey('RS256')];
  await Promise.all([0, 1, 2].map(async (n) => ask('check', await idToken({ n }), other)));
  expect(fetched).toBe(before + 1);
  published = [publishedOf(next, 'second'), publishedOf(key, 'first')];
  // Whoever sends unknown keys does not have the address asked again at once.
  expect((await ask('check', await idToken({}, { sign: next, kid: 'second' }), other)).status).toBe(400);
  expect(fetched).toBe(before + 1);
  const again = await register({ google_jwks_uri: `https://${host.host}/rotated` });
  expect((await ask('check', await idToken({}, { sign: next, kid: 'second' }), again)).status).toBe(404);
});
