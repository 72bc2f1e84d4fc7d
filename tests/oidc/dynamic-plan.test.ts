import { rotateSigningKeys } from '@candela/server/signing-key';
import { createPhoto } from '@candela/server/testing/pictures';
import type { JWK } from 'jose';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startHttpsServer } from '../support/https-server.ts';
import { createRelyingParty, type RelyingParty } from '../support/relying-party.ts';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import { createSigningKey, type SigningKey, signAssertion } from '../support/signer.ts';
import { basic, readJwt } from '../support/token.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { bootOf } from './authorization.ts';

const CALLBACK = 'https://app.example/callback';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

let world: SecureWorld;
let initialToken: string;
let agent: UserAgent;
/** The apps’ own host: their keys, logo and sector. */
let host: Awaited<ReturnType<typeof startHttpsServer>>;
let published: JWK[] = [];
let sector: unknown = [];
let metadata: Record<string, unknown>;
beforeAll(async () => {
  const logo = await createPhoto({ width: 64, height: 64 });
  host = await startHttpsServer((incoming, outgoing) => {
    if (incoming.url === '/logo.png') outgoing.end(logo);
    else if (incoming.url === '/sector') outgoing.end(JSON.stringify(sector));
    else if (incoming.url === '/jwks') outgoing.end(JSON.stringify({ keys: published }));
    else outgoing.writeHead(404).end();
  });
  world = await createSecureWorld({
    env: { DYNAMIC_REGISTRATION: 'open', BACKCHANNEL_HOSTS: host.host, LOGO_HOSTS: host.host },
  });
  ({ token: initialToken } = await world.issueRegistrationToken({
    policy: { presets: ['web', 'device'], redirectHosts: ['app.example', host.host] },
  }));
  ({ agent } = await world.signUp());
  metadata = (await world.browser().get('/.well-known/openid-configuration')).json();
});
afterAll(async () => {
  await world.close();
  await host.close();
});

type Metadata = Record<string, unknown>;

const post = (json: Metadata): Promise<Answer> =>
  world.browser().request('POST', String(metadata.registration_endpoint), {
    json: { client_name: 'Plan', redirect_uris: [CALLBACK], ...json },
    headers: { origin: '', authorization: `Bearer ${initialToken}` },
  });

/** Registers as the plan does, and expects the answer to have what was asked for. */
const register = async (json: Metadata = {}) => {
  const answer = await post(json);
  expect(answer.status, answer.body).toBe(201);
  expect(answer.json()).toMatchObject(json);
  return answer.json();
};

interface App {
  information: Metadata & { client_id: string; client_secret?: string };
  rp: RelyingParty;
}

const registerApp = async (json: Metadata = {}, key?: SigningKey): Promise<App> => {
  const information = await register(json);
  const [redirectUri = CALLBACK] = (json.redirect_uris as string[] | undefined) ?? [];
  const rp = await createRelyingParty({
    issuer: world.origin,
    clientId: information.client_id,
    ...(information.client_secret && { clientSecret: information.client_secret }),
    ...(key && { authentication: oidc.PrivateKeyJwt({ key: key.privateKey, kid: 'a' }) }),
    redirectUri,
  });
  return { information, rp };
};

const refusalOf = async (json: Metadata) => {
  const answer = await post(json);
  return [answer.status, answer.json().error];
};

/** Opens a request that differs from a right one; answers the code of the error page. */
const errorPageOf = async ({ rp }: App, change: (parameters: URLSearchParams) => void) => {
  const { url } = await rp.authorizationUrl();
  change(url.searchParams);
  const arrived = await agent.navigate(url);
  expect([arrived.url.origin, arrived.answer?.status]).toEqual([world.origin, 400]);
  return bootOf(arrived).error.code;
};

/** The consent page of the app, as the server describes it to the page. */
const consentOf = async ({ rp }: App) => {
  const { url } = await rp.authorizationUrl();
  const { url: page } = await agent.navigate(url);
  expect(page.pathname).toBe('/consent');
  return (await world.details(agent, world.interactionOf(page))).client;
};

const subjectOf = async (app: App) => (await world.link(agent, app.rp)).tokens.claims()?.sub;

const assertBy = async ({ information }: App, key: SigningKey, kid: string) => ({
  client_assertion_type: ASSERTION_TYPE,
  client_assertion: await signAssertion(
    key,
    { clientId: information.client_id, audience: world.origin },
    { exp: Math.floor(Date.now() / 1000) + 300 },
    { kid },
  ),
});

const token = (form: Record<string, string>, authentication: Record<string, string> = {}) =>
  world.browser().request('POST', '/oauth/token', {
    form,
    headers: { origin: '', ...authentication },
  });

const refreshBy = (refreshToken: string | undefined, assertion: Record<string, string>) =>
  token({ grant_type: 'refresh_token', refresh_token: refreshToken ?? '', ...assertion });

describe('oidcc-dynamic-certification-test-plan, by the names of its modules', () => {
  test('oidcc-discovery-endpoint-verification: the endpoint is named; implicit and hybrid types, which the plan asks for too, are not offered', () => {
    expect(metadata).toMatchObject({
      registration_endpoint: `${world.origin}/oauth/register`,
      response_types_supported: ['code', 'none'],
      subject_types_supported: ['public', 'pairwise'],
      id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
    });
    for (const place of ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'])
      expect(metadata[place]).toMatch(/^https:/);
  });

  test('oidcc-server, oidcc-idtoken-rs256: a registered client gets a signed id_token', async () => {
    const { rp } = await registerApp({ id_token_signed_response_alg: 'RS256' });
    const { tokens } = await world.link(agent, rp);
    expect(readJwt(tokens.id_token ?? '').header).toMatchObject({ alg: 'RS256', kid: expect.any(String) });
    expect(await rp.userinfo(tokens.access_token, tokens.claims()?.sub)).toHaveProperty('name');
  });

  test('oidcc-ensure-client-assertion-with-iss-aud-succeeds', async () => {
    const key = await createSigningKey();
    const jwks = { keys: [{ ...key.jwk, kid: 'a' }] };
    const app = await registerApp({ token_endpoint_auth_method: 'private_key_jwt', jwks }, key);
    const { tokens } = await world.link(agent, app.rp);
    const refreshed = await refreshBy(tokens.refresh_token, await assertBy(app, key, 'a'));
    expect(refreshed.status, refreshed.body).toBe(200);
  });

  test('oidcc-ensure-redirect-uri-in-authorization-request: an error page', async () => {
    const code = await errorPageOf(await registerApp(), (parameters) => parameters.delete('redirect_uri'));
    expect(code).toBe('invalid_request');
  });

  test('oidcc-redirect-uri-query-OK: the query is kept, and the code joins it', async () => {
    const redirectUri = `${CALLBACK}?foo=bar`;
    const { information, rp } = await registerApp({ redirect_uris: [redirectUri] });
    const { url, checks } = await rp.authorizationUrl();
    const { url: page } = await agent.navigate(url);
    const { url: callback } = await world.approve(agent, world.interactionOf(page));
    expect(callback.href).toMatch(/^https:\/\/app\.example\/callback\?foo=bar&code=/);
    // The library would leave the query out.
    const { client_id: id, client_secret: secret = '' } = information;
    const answer = await token(
      {
        grant_type: 'authorization_code',
        code: callback.searchParams.get('code') ?? '',
        redirect_uri: redirectUri,
        code_verifier: checks.pkceCodeVerifier,
      },
      basic({ clientId: id, clientSecret: secret }),
    );
    expect(answer.status, answer.body).toBe(200);
  });

  test('oidcc-redirect-uri-query-added, oidcc-redirect-uri-query-mismatch: an error page', async () => {
    for (const [registered, asked] of [
      [CALLBACK, `${CALLBACK}?foo=bar`],
      [`${CALLBACK}?foo=bar`, `${CALLBACK}?bar=foo`],
      [`${CALLBACK}?foo=bar`, CALLBACK],
    ] as const) {
      const app = await registerApp({ redirect_uris: [registered] });
      expect(await errorPageOf(app, (parameters) => parameters.set('redirect_uri', asked))).toBe(
        'redirect_uri_mismatch',
      );
    }
  });

  test('oidcc-redirect-uri-regfrag: a fragment is refused', async () => {
    expect(await refusalOf({ redirect_uris: [`${CALLBACK}#foobar`] })).toEqual([400, 'invalid_redirect_uri']);
  });

  test('oidcc-refresh-token: the new id_token names the same person', async () => {
    const { rp } = await registerApp({ grant_types: ['authorization_code', 'refresh_token'] });
    const { tokens } = await world.link(agent, rp);
    const refreshed = await rp.refresh(tokens.refresh_token ?? '');
    expect(refreshed.claims()?.sub).toBe(tokens.claims()?.sub);
  });

  test('oidcc-registration-jwks-uri, oidcc-refresh-token-rp-key-rotation: keys are fetched, and again after the client has others', async () => {
    const [first, second] = await Promise.all([createSigningKey(), createSigningKey()]);
    published = [{ ...first.jwk, kid: 'a' }];
    const app = await registerApp(
      { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: `https://${host.host}/jwks` },
      first,
    );
    const { tokens } = await world.link(agent, app.rp);
    published = [{ ...second.jwk, kid: 'b' }];
    const assertion = await assertBy(app, second, 'b');
    // The engine keeps keys for a minute.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    const refreshed = await refreshBy(tokens.refresh_token, assertion);
    vi.useRealTimers();
    expect(refreshed.status, refreshed.body).toBe(200);
  });

  test('oidcc-registration-logo-uri: the server fetches the logo, and the consent page shows its copy', async () => {
    const app = await registerApp({ logo_uri: `https://${host.host}/logo.png` });
    await world.fetchLogos();
    await expect.poll(async () => (await consentOf(app)).logo).toMatch(/^\/api\/logos\//);
  });

  test('oidcc-registration-policy-uri, oidcc-registration-tos-uri: the consent page leads there', async () => {
    const app = await registerApp({
      policy_uri: 'https://app.example/privacy',
      tos_uri: 'https://app.example/terms',
    });
    expect(await consentOf(app)).toMatchObject({
      policyUri: 'https://app.example/privacy',
      tosUri: 'https://app.example/terms',
    });
  });

  test('oidcc-registration-sector-uri: clients of one sector know a person by one subject, and others by another', async () => {
    const second = 'https://app.example/second';
    sector = [CALLBACK, second];
    const pairwise = { subject_type: 'pairwise', sector_identifier_uri: `https://${host.host}/sector` };
    const one = await subjectOf(await registerApp(pairwise));
    expect(await subjectOf(await registerApp({ ...pairwise, redirect_uris: [second] }))).toBe(one);
    expect(await subjectOf(await registerApp({ subject_type: 'pairwise' }))).not.toBe(one);
    expect(await subjectOf(await registerApp())).not.toBe(one);
  });

  test('a device is of a sector whose document names its keys', async () => {
    const device = {
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
      response_types: [],
      redirect_uris: [],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: `https://${host.host}/keys`,
      subject_type: 'pairwise',
      sector_identifier_uri: `https://${host.host}/sector`,
    };
    sector = [CALLBACK];
    expect(await refusalOf(device)).toEqual([400, 'invalid_client_metadata']);
    sector = [CALLBACK, device.jwks_uri];
    expect((await post({ ...device })).status).toBe(201);
  });

  test.each<[string, unknown, string]>([
    ['without the redirect URI', ['https://app.example/another'], '/sector'],
    ['that is no list', { redirect_uris: [CALLBACK] }, '/sector'],
    ['that is not there', [CALLBACK], '/nowhere'],
  ])('oidcc-registration-sector-bad: a document %s is refused', async (_name, document, path) => {
    sector = document;
    const sector_identifier_uri = `https://${host.host}${path}`;
    const refused = await refusalOf({ subject_type: 'pairwise', sector_identifier_uri });
    expect(refused).toEqual([400, 'invalid_client_metadata']);
  });

  test('oidcc-server-rotate-keys: a new key is published beside the old ones, and signs', async () => {
    const kids = async () =>
      (await world.browser().get('/oauth/jwks')).json().keys.map(({ kid }: JWK) => kid) as string[];
    const { rp } = await registerApp();
    const before = await kids();
    const signedBy = async () => readJwt((await world.link(agent, rp)).tokens.id_token ?? '').header.kid;
    const former = await signedBy();
    await rotateSigningKeys({ db: world.db, secretKeys: world.config.secretKeys });
    await expect.poll(signedBy).not.toBe(former);
    const after = await kids();
    expect(after).toEqual(expect.arrayContaining([...before]));
    expect(after.length).toBeGreaterThan(before.length);
  });

  test.each([
    ['oidcc-idtoken-unsigned', 'id_token_signing_alg_values_supported', 'none'],
    ['oidcc-ensure-request-object-with-redirect-uri', 'request_object_signing_alg_values_supported', 'none'],
  ])('%s: skipped, since the algorithm none is not offered', (_name, place, algorithm) => {
    expect(metadata[place]).not.toContain(algorithm);
  });

  test('oidcc-idtoken-unsigned: none is refused', async () => {
    const refused = await refusalOf({ id_token_signed_response_alg: 'none' });
    expect(refused).toEqual([400, 'invalid_client_metadata']);
  });

  test('oidcc-userinfo-rs256: skipped, since userinfo is plain JSON; a client that relies on a signature is refused', async () => {
    expect(metadata).not.toHaveProperty('userinfo_signing_alg_values_supported');
    const refused = await refusalOf({ userinfo_signed_response_alg: 'RS256' });
    expect(refused).toEqual([400, 'invalid_client_metadata']);
  });

  test('a client that relies on tokens bound to its certificate (RFC 8705) is refused, and one that does not is not', async () => {
    expect(metadata).not.toHaveProperty('tls_client_certificate_bound_access_tokens');
    const refused = await refusalOf({ tls_client_certificate_bound_access_tokens: true });
    expect(refused).toEqual([400, 'invalid_client_metadata']);
    expect((await post({ tls_client_certificate_bound_access_tokens: false })).status).toBe(201);
  });

  test('oidcc-request-uri-unsigned, oidcc-request-uri-signed-rs256: skipped, since nothing is fetched for a request', async () => {
    expect(metadata.request_uri_parameter_supported).toBe(false);
    const answer = await post({ request_uris: [`https://${host.host}/request.jwt`] });
    expect(answer.status).toBe(201);
    expect(answer.json()).not.toHaveProperty('request_uris');
  });
});

describe('oidcc-3rdparty-init-login-certification-test-plan, by the names of its modules', () => {
  test('oidcc-3rd_party-init-login: the address is answered, and at the client’s own endpoint too', async () => {
    const initiate_login_uri = 'https://app.example/start';
    const { registration_client_uri: uri, registration_access_token: access } = await register({
      initiate_login_uri,
    });
    const headers = { authorization: `Bearer ${access}`, origin: '' };
    const answer = await world.browser().request('GET', uri, { headers });
    expect([answer.status, answer.json().initiate_login_uri]).toEqual([200, initiate_login_uri]);
    expect(answer.headers['content-type']).toContain('application/json');
  });

  test('oidcc-3rd_party-init-login-nohttps: refused', async () => {
    const refused = await refusalOf({ initiate_login_uri: 'http://app.example/start' });
    expect(refused).toEqual([400, 'invalid_client_metadata']);
  });
});
