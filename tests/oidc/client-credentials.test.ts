import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSigningKey } from '../support/signer.ts';
import { createWorld, type World } from '../support/world.ts';
import { acceptAccessToken } from './access-token.ts';
import { isActive, type RegisteredApp } from './authorization.ts';
import { ABROAD, errorOf, LIGHTS, METERS, resources, SCENES } from './resources.ts';

let world: World;
let machine: RegisteredApp;
beforeAll(async () => {
  world = await createWorld();
  await world.registerResources(resources);
  machine = await registerMachine({ scope: 'read switch meter' });
});
afterAll(() => world.close());

const registerMachine = (metadata: Record<string, unknown> = {}) =>
  world.registerApp({
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    post_logout_redirect_uris: [],
    ...metadata,
  });

const ask = ({ rp }: RegisteredApp, parameters: Record<string, string> = {}) =>
  oidc.clientCredentialsGrant(rp.configuration, parameters);

describe('a machine client', () => {
  test('gets an access token for an API, and nothing else', async () => {
    const tokens = await ask(machine, { resource: LIGHTS, scope: 'read' });
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'read', expires_in: 600 });
    expect(tokens).not.toHaveProperty('refresh_token');
    expect(tokens).not.toHaveProperty('id_token');
    const { payload } = await acceptAccessToken(world, tokens.access_token, LIGHTS);
    // RFC 9068 section 2.2: where no person is involved the client is the subject.
    expect(payload).toMatchObject({ sub: machine.clientId, client_id: machine.clientId, scope: 'read' });
    expect(payload).not.toHaveProperty('auth_time');
  });

  test('that names no scope gets all its scopes there, and the response lists them', async () => {
    expect((await ask(machine, { resource: LIGHTS })).scope).toBe('read switch');
    expect((await ask(machine, { resource: SCENES })).scope).toBe('read');
  });

  test('that names scopes of one API only means that API', async () => {
    const tokens = await ask(machine, { scope: 'read switch' });
    expect(tokens.scope).toBe('read switch');
    const { payload } = await acceptAccessToken(world, tokens.access_token, LIGHTS);
    expect(payload.aud).toBe(LIGHTS);
    const { access_token: token } = await ask(machine, { scope: 'meter' });
    expect(await machine.rp.introspect(token)).toMatchObject({ aud: METERS, scope: 'meter' });
  });

  test('gets an opaque token for an API with introspection, and can revoke it', async () => {
    const api = await world.registerApp({ resource_server: METERS });
    const { access_token: token } = await ask(machine, { resource: METERS });
    const told = { active: true, client_id: machine.clientId, aud: METERS, scope: 'meter' };
    for (const hint of [undefined, 'access_token', 'refresh_token'] as const)
      expect(await machine.rp.introspect(token, hint)).toMatchObject(told);
    expect(await machine.rp.introspect(token)).not.toHaveProperty('sub');
    expect(await api.rp.introspect(token)).toMatchObject(told);
    await expect(machine.rp.userinfo(token)).rejects.toThrow();
    await api.rp.revoke(token);
    expect(await isActive(machine, token)).toBe(true);
    await machine.rp.revoke(token);
    expect(await isActive(machine, token)).toBe(false);
    expect(await isActive(api, token)).toBe(false);
  });

  test('gets a token without an audience if it names no API', async () => {
    const tokens = await ask(machine);
    expect(tokens.scope).toBeUndefined();
    const told = await machine.rp.introspect(tokens.access_token);
    expect(told).toMatchObject({ active: true, client_id: machine.clientId });
    expect(told).not.toHaveProperty('aud');
    expect(told).not.toHaveProperty('scope');
  });

  test('stores no account, no grant, no session, and no readable token', async () => {
    const { access_token: token } = await ask(machine, { resource: METERS });
    const rows = await world.db
      .selectFrom('oidc_model')
      .selectAll()
      .where('model', '=', 'ClientCredentials')
      .where('client_id', '=', machine.clientId)
      .execute();
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect([row.account_id, row.grant_id]).toEqual([null, null]);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(await world.db.selectFrom('authorization_grant').select('id').execute()).toEqual([]);
  });

  test('has a token until the token expires', async () => {
    const { access_token: token } = await ask(machine, { resource: METERS });
    await world.db
      .updateTable('oidc_model')
      .set({ expires_at: new Date(Date.now() - 60_000) })
      .where('model', '=', 'ClientCredentials')
      .execute();
    expect(await machine.rp.introspect(token)).toEqual({ active: false });
  });

  test('loses its token when it is disabled', async () => {
    const api = await world.registerApp({ resource_server: METERS });
    const doomed = await registerMachine({ scope: 'meter' });
    const { access_token: token } = await ask(doomed, { resource: METERS });
    expect(await isActive(api, token)).toBe(true);
    await world.registerClients([
      {
        client_id: doomed.clientId,
        client_secret: doomed.clientSecret,
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
        scope: 'meter',
        disabled: true,
      },
    ]);
    await expect.poll(() => isActive(api, token)).toBe(false);
    expect(await errorOf(ask(doomed, { resource: METERS }))).toBe('invalid_client');
  });
});

describe('a machine client is refused', () => {
  test.each([
    ['a scope it may not have there', { resource: LIGHTS, scope: 'read play' }, 'invalid_scope'],
    ['a scope of another API', { resource: SCENES, scope: 'switch' }, 'invalid_scope'],
    ['a scope that nobody has', { resource: LIGHTS, scope: 'nonsense' }, 'invalid_scope'],
    ['a scope of an account', { resource: LIGHTS, scope: 'openid' }, 'invalid_scope'],
    ['a scope that two APIs have, of neither', { scope: 'read' }, 'invalid_scope'],
    ['scopes of two APIs', { scope: 'switch meter' }, 'invalid_scope'],
    ['a scope of an account, of no API', { scope: 'profile' }, 'invalid_scope'],
    ['a scope that is none', { resource: LIGHTS, scope: 'read  "switch"' }, 'invalid_scope'],
    ['an unknown API', { resource: 'https://nobody.example/' }, 'invalid_target'],
    ['a relative API', { resource: '/lights' }, 'invalid_target'],
    ['an API with a fragment', { resource: `${LIGHTS}#read` }, 'invalid_target'],
    ['another brand’s API', { resource: ABROAD }, 'invalid_target'],
  ])('%s', async (_, parameters, error) => {
    expect(await errorOf(ask(machine, parameters))).toBe(error);
  });

  test.each([
    [{ scope: 'read' }, `several APIs have this scope: send one as resource: ${LIGHTS} ${SCENES}`],
    [
      { scope: 'switch meter' },
      `no API has all of this scope for this client: send one as resource: ${LIGHTS} ${SCENES} ${METERS}`,
    ],
    [{ scope: 'switch', resource: SCENES }, 'scope of this client for the API: read'],
  ])('%j, with a description of the API to name', async (parameters, description) => {
    await expect(ask(machine, parameters as Record<string, string>)).rejects.toMatchObject({
      error_description: description,
    });
  });

  test('two APIs at once, whichever comes first', async () => {
    for (const [first, second] of [
      [LIGHTS, SCENES],
      [SCENES, METERS],
    ] as const) {
      const parameters = new URLSearchParams({ resource: first });
      parameters.append('resource', second);
      const work = oidc.clientCredentialsGrant(machine.rp.configuration, parameters);
      expect(await errorOf(work)).toBe('invalid_target');
    }
  });

  test('every API, if its metadata has no scope', async () => {
    const bare = await registerMachine();
    expect(await errorOf(ask(bare, { resource: LIGHTS }))).toBe('invalid_target');
    expect(await errorOf(ask(bare))).toBe('none');
  });

  test('without that grant type, with the error of RFC 6749 section 5.2', async () => {
    const app = await world.registerApp();
    expect(await errorOf(ask(app, { resource: LIGHTS }))).toBe('unauthorized_client');
  });

  test('a wrong secret', async () => {
    const wrong = await oidc.discovery(
      new URL(world.origin),
      machine.clientId,
      undefined,
      oidc.ClientSecretBasic('not the secret'),
      { execute: [oidc.allowInsecureRequests] },
    );
    expect(await errorOf(oidc.clientCredentialsGrant(wrong, { resource: LIGHTS }))).toBe('invalid_client');
  });

  test('an interactive sign-in', async () => {
    const { url } = await machine.rp.authorizationUrl();
    const arrived = await world.browser().navigate(url);
    expect(arrived.answer?.status).toBe(400);
  });
});

test('a machine client may authenticate by a key', async () => {
  const { privateKey: key, jwk } = await createSigningKey();
  const clientId = 'machine-with-a-key';
  await world.registerClients([
    {
      client_id: clientId,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [{ ...jwk, kid: 'one', alg: 'ES256', use: 'sig' }] },
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
      scope: 'read',
    },
  ]);
  const configuration = await oidc.discovery(
    new URL(world.origin),
    clientId,
    undefined,
    oidc.PrivateKeyJwt({ key, kid: 'one' }),
    { execute: [oidc.allowInsecureRequests] },
  );
  const tokens = await oidc.clientCredentialsGrant(configuration, { resource: LIGHTS });
  await acceptAccessToken(world, tokens.access_token, LIGHTS);
});

test('the token of a machine client with a DPoP proof names its key (RFC 9449 section 6.1)', async () => {
  const { configuration } = machine.rp;
  const DPoP = oidc.getDPoPHandle(configuration, await oidc.randomDPoPKeyPair());
  const tokens = await oidc.clientCredentialsGrant(configuration, { resource: LIGHTS }, { DPoP });
  expect(tokens.token_type).toBe('dpop');
  const { payload } = await acceptAccessToken(world, tokens.access_token, LIGHTS);
  expect(payload.cnf).toEqual({ jkt: await DPoP.calculateThumbprint() });
});
