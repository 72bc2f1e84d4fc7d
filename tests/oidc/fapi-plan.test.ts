import { sql } from 'kysely';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import { createSigningKey, signRequest } from '../support/signer.ts';
import { readJwt } from '../support/token.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { bootOf } from './authorization.ts';
import { type Difference, type FapiClient, registerFapiClient } from './fapi-client.ts';

let world: SecureWorld;
let agent: UserAgent;
let client: FapiClient;
let second: FapiClient;
beforeAll(async () => {
  world = await createSecureWorld();
  ({ agent } = await world.signUp());
  client = await registerFapiClient(world, agent);
  second = await registerFapiClient(world, agent);
  // Everything requested is approved in advance, so that no consent page comes in between.
  await client.authorize();
});
afterAll(() => world.close());

const now = () => Math.floor(Date.now() / 1000);
const refusal = ({ status, json }: Answer) => [status, json().error];
const INVALID_CLIENT = [401, 'invalid_client'];
const INVALID_GRANT = [400, 'invalid_grant'];

/** Tokens of a new request, and the values that its response was verified against. */
const link = async (...asked: Parameters<FapiClient['authorize']>) => {
  const authorized = await client.authorize(...asked);
  const answer = await client.redeem(authorized);
  expect(answer.status, answer.body).toBe(200);
  return { ...authorized, tokens: answer.json() };
};

const pushed = async (changes: Record<string, string | undefined>, difference?: Difference) =>
  refusal((await client.push(changes, difference)).answer);

/** Opens a pushed request by `parameters`, and expects an error page. */
const expectPage = async (parameters: Record<string, string>, by = client) => {
  const arrived = await by.open(parameters);
  expect(arrived.url.origin).toBe(world.origin);
  expect(bootOf(arrived).error.oauthError).toBe('invalid_request_uri');
};

/** By the names of fapi2-security-profile-final-test-plan, whose modules all begin so: private_key_jwt, DPoP, OpenID Connect. */
describe('fapi2-security-profile-final-', () => {
  test('discovery-end-point-verification: the profile’s requirements are offered', async () => {
    const metadata = (await world.browser().get('/.well-known/openid-configuration')).json();
    expect(metadata.token_endpoint_auth_methods_supported).toContain('private_key_jwt');
    expect(metadata.code_challenge_methods_supported).toContain('S256');
    expect(metadata.authorization_response_iss_parameter_supported).toBe(true);
    for (const use of ['token_endpoint_auth_signing', 'id_token_signing', 'dpop_signing'])
      expect(metadata[`${use}_alg_values_supported`]).toContain('ES256');
  });

  test('happy-flow, par-without-duplicate-parameters: openid-client runs the whole flow by itself', async () => {
    const { configuration, authorizationUrl } = client.app.rp;
    const DPoP = oidc.getDPoPHandle(configuration, await oidc.randomDPoPKeyPair('ES256'));
    const { url: asked, checks } = await authorizationUrl();
    const url = await oidc.buildAuthorizationUrlWithPAR(configuration, asked.searchParams, { DPoP });
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    const answer = await agent.get(url.href);
    expect(answer.status).toBe(303);
    const callback = new URL(String(answer.headers.location));
    expect(callback.searchParams.get('iss')).toBe(world.origin);
    const tokens = await oidc.authorizationCodeGrant(configuration, callback, checks, undefined, { DPoP });
    expect([tokens.token_type, readJwt(tokens.id_token ?? '').header.alg]).toEqual(['dpop', 'ES256']);
    const sub = tokens.claims()?.sub ?? '';
    expect((await oidc.fetchUserInfo(configuration, tokens.access_token, sub, { DPoP })).sub).toBe(sub);
  });

  test('user-rejects-authentication: access_denied', async () => {
    const { answer } = await second.push();
    const consent = await second.open({ request_uri: answer.json().request_uri });
    const aborted = await agent.post(`/interaction/${world.interactionOf(consent.url)}/abort`);
    const { url } = await agent.navigate(aborted.json().returnTo);
    expect(url.searchParams.get('error')).toBe('access_denied');
  });

  test('ensure-authorization-request-without-state-success, ensure-authorization-request-without-nonce-success, ensure-authorization-request-with-64-char-nonce-success, ensure-authorization-request-with-long-nonce, ensure-authorization-request-with-long-state', async () => {
    for (const [state, nonce] of [
      [undefined, undefined],
      ['s'.repeat(1000), 'n'.repeat(64)],
      ['s'.repeat(4096), 'n'.repeat(384)],
    ]) {
      const { callback, tokens } = await link({ state, nonce });
      expect(callback.searchParams.get('state') ?? undefined).toBe(state);
      expect(readJwt(tokens.id_token).payload.nonce).toBe(nonce);
    }
  });

  test('ensure-other-scope-order-succeeds, test-claims-parameter-identity-claims', async () => {
    await link({ scope: 'profile openid' });
    const { tokens } = await link({ claims: JSON.stringify({ userinfo: { nickname: null } }) });
    expect((await client.userinfo(tokens.access_token)).json().nickname).toBeTypeOf('string');
  });

  test('access-token-type-header-case-sensitivity: the scheme is case-insensitive', async () => {
    const { tokens } = await link();
    for (const scheme of ['DPoP', 'dpop', 'DPOP'])
      expect((await client.userinfo(tokens.access_token, { scheme })).status).toBe(200);
    expect((await client.userinfo(tokens.access_token, { scheme: 'Bearer' })).status).toBe(400);
  });

  test('check-dpop-proof-nbf-exp, ensure-dpopproof-with-iat-10seconds-before-succeeds, ensure-dpopproof-with-iat-10seconds-after-succeeds: a minute after fails (section 5.3.2.1)', async () => {
    for (const claims of [{ nbf: now(), exp: now() + 300 }, { iat: now() - 10 }, { iat: now() + 10 }]) {
      const authorized = await client.authorize({}, { proof: { claims } });
      expect((await client.redeem(authorized, { proof: { claims } })).status).toBe(200);
    }
    const ahead = { proof: { claims: { iat: now() + 90 } } };
    expect(await pushed({}, ahead)).toEqual([400, 'invalid_dpop_proof']);
    expect(refusal(await client.refresh('x', ahead))).toEqual([400, 'invalid_dpop_proof']);
  });

  test('ensure-mismatched-dpop-jkt-fails, ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt, ensure-token-endpoint-fails-with-mismatched-dpop-jkt: a code is bound to its key', async () => {
    const other = await createSigningKey();
    const dpop_jkt = client.bound.thumbprint;
    expect(await pushed({ dpop_jkt }, { proof: { key: other } })).toEqual([400, 'invalid_request']);
    const byProof = await client.authorize({}, { proof: {} });
    const byParameter = await client.authorize({ dpop_jkt });
    for (const authorized of [byProof, byParameter])
      expect(refusal(await client.redeem(authorized, { proof: { key: other } }))).toEqual(INVALID_GRANT);
  });

  test('ensure-dpopproof-at-par-endpoint-binding-success, ensure-dpop-auth-code-binding-success', async () => {
    await link({}, { proof: {} });
    await link({ dpop_jkt: client.bound.thumbprint }, { proof: {} });
  });

  test('ensure-different-nonce-inside-and-outside-request-object, ensure-different-state-inside-and-outside-request-object, state-only-outside-request-object-not-used: the pushed parameters count', async () => {
    for (const state of ['pushed', undefined]) {
      const { answer } = await client.push({ state });
      const { request_uri } = answer.json();
      const { url } = await client.open({ request_uri, state: 'beside', nonce: 'beside' });
      expect(url.searchParams.get('state') ?? undefined).toBe(state);
    }
  });

  test('ensure-request-object-without-redirect-uri-fails, ensure-redirect-uri-in-authorization-request, plain-fapi-tolerate-unregistered-redirect-uri', async () => {
    for (const redirect_uri of [undefined, 'https://app.example/another', 'http://app.example/callback'])
      expect(await pushed({ redirect_uri })).toEqual([400, 'invalid_request']);
  });

  test('ensure-unsigned-authorization-request-without-using-par-fails', async () => {
    const { url } = await client.app.rp.authorizationUrl();
    const arrived = await agent.navigate(url);
    expect(arrived.url.searchParams.get('error')).toBe('invalid_request');
    expect(arrived.url.searchParams.get('iss')).toBe(world.origin);
  });

  test('ensure-response-type-code-idtoken-fails, ensure-response-type-token-fails', async () => {
    for (const response_type of ['code id_token', 'token'])
      expect(await pushed({ response_type })).toEqual([400, 'unsupported_response_type']);
    expect(await pushed({ response_type: 'none' })).toEqual([400, 'invalid_request']);
  });

  test('ensure-client-id-in-token-endpoint, ensure-authorization-code-is-bound-to-client', async () => {
    const { clientId } = second.app;
    const named = await client.redeem(await client.authorize(), {}, { client_id: clientId });
    expect(refusal(named)).toEqual([400, 'invalid_request']);
    expect(refusal(await second.redeem(await client.authorize()))).toEqual(INVALID_GRANT);
  });

  test('ensure-holder-of-key-required: no token without a proof', async () => {
    const answer = await client.redeem(await client.authorize(), { proof: null });
    expect(refusal(answer)).toEqual(INVALID_GRANT);
    const { tokens } = await link();
    expect(refusal(await client.refresh(tokens.refresh_token, { proof: null }))).toEqual(INVALID_GRANT);
  });

  test('attempt-reuse-authorization-code-after-one-second, ensure-token-endpoint-fails-with-expired-auth-code', async () => {
    const { tokens, ...spent } = await link();
    expect((await client.userinfo(tokens.access_token)).status).toBe(200);
    expect(refusal(await client.redeem(spent))).toEqual(INVALID_GRANT);
    expect((await client.userinfo(tokens.access_token)).status, 'its tokens end').toBe(401);
    const late = await client.authorize();
    await sql`update authorization_code set expires_at = expires_at - interval '61 seconds'`.execute(
      world.db,
    );
    expect(refusal(await client.redeem(late))).toEqual(INVALID_GRANT);
  });

  test('ensure-signed-client-assertion-with-RS256-fails, ensure-client-assertion-in-token-endpoint, ensure-client-assertion-with-exp-is-5-minutes-in-past-fails, ensure-client-assertion-with-wrong-aud-fails, ensure-client-assertion-with-no-sub-fails', async () => {
    const authorized = await client.authorize();
    const tokenOf = async (assertion: NonNullable<Difference['assertion']> | null) =>
      refusal(await client.redeem(authorized, { assertion }));
    expect(await tokenOf({ key: client.rsa, header: { alg: 'RS256', kid: 'rsa' } })).toEqual(INVALID_CLIENT);
    expect(await tokenOf(null)).toEqual([400, 'invalid_request']);
    for (const claims of [{ exp: now() - 300 }, { aud: 'https://evil.example' }, { sub: undefined }])
      expect([claims, await tokenOf({ claims })]).toEqual([claims, INVALID_CLIENT]);
    const right = { key: client.pss, header: { alg: 'PS256', kid: 'pss' } };
    expect((await client.redeem(authorized, { assertion: right })).status).toBe(200);
  });

  test('dpop-negative-tests: a token is valid only with its proof, made for this one request', async () => {
    const { access_token: token } = (await link()).tokens;
    const wrong = [
      { htm: 'POST' },
      { htu: `${world.origin}/oauth/token` },
      { ath: 'x' },
      { jti: undefined },
      { iat: undefined },
      { nonce: 'made-up' },
    ];
    for (const claims of wrong)
      expect([claims, (await client.userinfo(token, { claims })).status]).toEqual([claims, 401]);
    expect((await client.userinfo(token, { key: await createSigningKey() })).status).toBe(401);
    const twice = { claims: { jti: 'once' } };
    expect((await client.userinfo(token, twice)).status).toBe(200);
    expect((await client.userinfo(token, twice)).status).toBe(401);
  });

  test('refresh-token: it is not rotated, and only its client can use it (section 5.3.2.1)', async () => {
    const { refresh_token: token } = (await link()).tokens;
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await client.refresh(token);
      expect(answer.status).toBe(200);
      expect(answer.json().refresh_token).toBe(token);
    }
    expect(refusal(await second.refresh(token))).toEqual(INVALID_GRANT);
    expect(refusal(await client.refresh(token, { assertion: null }))).toEqual([400, 'invalid_request']);
  });

  test('par-ensure-reused-request-uri-prior-to-auth-completion-succeeds, par-attempt-reuse-request_uri, par-attempt-to-use-request_uri-for-different-client, par-attempt-to-use-expired-request_uri', async () => {
    const { answer } = await client.push({ prompt: 'login' });
    const again = { request_uri: answer.json().request_uri };
    for (let turn = 0; turn < 2; turn += 1) expect((await client.open(again)).url.pathname).toBe('/login');
    const once = { request_uri: (await client.push()).answer.json().request_uri };
    await expectPage(once, second);
    expect((await client.open(once)).url.searchParams.has('code')).toBe(true);
    await expectPage(once);
    const late = (await client.push()).answer.json();
    expect(late.expires_in).toBeLessThan(600);
    await sql`
      update oidc_model set payload = jsonb_set(payload, '{opensUntil}', to_jsonb((payload->>'opensUntil')::int - 61))
      where model = 'PushedAuthorizationRequest'`.execute(world.db);
    await expectPage({ request_uri: late.request_uri });
  });

  test('par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted, par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails', async () => {
    const ahead = (seconds: number) => {
      const claims = { iat: now() + seconds, nbf: now() + seconds, exp: now() + seconds + 60 };
      return client.push({}, { assertion: { claims }, proof: null });
    };
    expect((await ahead(8)).answer.status).toBe(201);
    expect(refusal((await ahead(70)).answer)).toEqual(INVALID_CLIENT);
  });

  test('par-authorization-request-containing-request_uri-form-param, par-attempt-invalid-http-method', async () => {
    const [status] = await pushed({ request_uri: 'urn:ietf:params:oauth:request_uri:x' });
    expect(status).toBe(400);
    expect((await world.browser().get('/oauth/par')).status).toBeGreaterThanOrEqual(400);
  });

  test('par-ensure-pkce-required, par-plain-pkce-rejected, ensure-pkce-code-verifier-required, incorrect-pkce-code-verifier-rejected', async () => {
    const none = { code_challenge: undefined, code_challenge_method: undefined };
    for (const changes of [none, { code_challenge_method: 'plain' }])
      expect(await pushed(changes)).toEqual([400, 'invalid_request']);
    for (const code_verifier of [undefined, 'v'.repeat(43)]) {
      const answer = await client.redeem(await client.authorize(), {}, { code_verifier });
      expect(refusal(answer)).toEqual(INVALID_GRANT);
    }
  });

  test('par-test-array-as-audience-fails, par-test-par-endpoint-url-as-audience-fails, par-test-token-endpoint-url-as-audience-fails: the issuer alone, as a string', async () => {
    const { origin } = world;
    for (const aud of [
      [origin],
      [origin, 'https://x.example'],
      `${origin}/oauth/par`,
      `${origin}/oauth/token`,
    ]) {
      const difference = { assertion: { claims: { aud } }, proof: null };
      expect([aud, await pushed({}, difference)]).toEqual([aud, INVALID_CLIENT]);
    }
  });
});

test('a signed request of such a client has nbf, lasts an hour at most, and is not signed with RS256', async () => {
  const { url } = await client.app.rp.authorizationUrl();
  const parameters = Object.fromEntries(url.searchParams);
  const named = { clientId: client.app.clientId, audience: world.origin };
  const push = async (
    key: typeof client.key,
    changes: Record<string, unknown>,
    header: Record<string, unknown>,
  ) => {
    const request = await signRequest(key, named, { ...parameters, ...changes }, header);
    const answer = await client.post('/oauth/par', { request, client_id: named.clientId }, { proof: null });
    return [answer.status, answer.json().error];
  };
  const refused = [400, 'invalid_request_object'];
  for (const changes of [{ nbf: undefined }, { nbf: now() - 3700 }])
    expect(await push(client.key, changes, { kid: 'ec' })).toEqual(refused);
  expect(await push(client.rsa, {}, { alg: 'RS256', kid: 'rsa' })).toEqual(refused);
  expect(await push(client.pss, {}, { alg: 'PS256', kid: 'pss' })).toEqual([201, undefined]);
});
