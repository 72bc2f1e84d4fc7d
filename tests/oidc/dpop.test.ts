import * as oauth from 'oauth4webapi';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import { createSigningKey } from '../support/signer.ts';
import { encodePart, hashOf } from '../support/token.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { acceptAccessToken } from './access-token.ts';
import type { RegisteredApp } from './authorization.ts';
import { createDPoPClient, type DPoPClient, errorOf } from './dpop-client.ts';
import { createRequests, LIGHTS, resources } from './resources.ts';

let world: SecureWorld;
let app: RegisteredApp;
let agent: UserAgent;
let dpop: DPoPClient;
beforeAll(async () => {
  world = await createSecureWorld({ servers: 2 });
  await world.registerResources(resources);
  app = await world.registerApp({ token_endpoint_auth_method: 'none', dpop_bound_access_tokens: true });
  ({ agent } = await world.signUp());
  dpop = createDPoPClient(world, { agent, app });
});
afterAll(() => world.close());

describe('DPoP (RFC 9449)', () => {
  test('openid-client links, calls userinfo and refreshes, with the server’s nonce', async () => {
    const { configuration } = app.rp;
    const handle = oidc.getDPoPHandle(configuration, await oidc.randomDPoPKeyPair('ES256'));
    const { url, checks } = await app.rp.authorizationUrl({
      dpop_jkt: await handle.calculateThumbprint(),
    });
    const consent = await agent.navigate(url);
    const { url: callback } = await world.approve(agent, world.interactionOf(consent.url));
    const tokens = await oidc.authorizationCodeGrant(configuration, callback, checks, undefined, {
      DPoP: handle,
    });
    expect(tokens.token_type).toBe('dpop');
    const subject = tokens.claims()?.sub ?? '';
    const info = await oidc.fetchUserInfo(configuration, tokens.access_token, subject, { DPoP: handle });
    expect(info.sub).toBe(subject);
    const refreshed = await oidc.refreshTokenGrant(configuration, tokens.refresh_token ?? '', undefined, {
      DPoP: handle,
    });
    expect(refreshed.access_token).not.toBe(tokens.access_token);
  });

  test('oauth4webapi does so too', async () => {
    const issuer = new URL(world.origin);
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer));
    expect(server.dpop_signing_alg_values_supported).toEqual(['ES256', 'Ed25519', 'EdDSA']);
    const client: oauth.Client = { client_id: app.clientId };
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
    const verifier = oauth.generateRandomCodeVerifier();
    const { url } = await app.rp.authorizationUrl({
      prompt: 'consent',
      state: 'a-state',
      nonce: 'a-nonce',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    });
    const consent = await agent.navigate(url);
    const { url: callback } = await world.approve(agent, world.interactionOf(consent.url));
    const parameters = oauth.validateAuthResponse(server, client, callback, 'a-state');
    const exchange = () =>
      oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        parameters,
        app.redirectUri,
        verifier,
        { DPoP },
      );
    const first = await oauth
      .processAuthorizationCodeResponse(server, client, await exchange(), { expectedNonce: 'a-nonce' })
      .catch((error: unknown) => error);
    expect(oauth.isDPoPNonceError(first)).toBe(true);
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, await exchange(), {
      expectedNonce: 'a-nonce',
    });
    expect(tokens.token_type).toBe('dpop');
  });

  test('OA9: a proof without a nonce, or with a made-up one, gets use_dpop_nonce with a fresh one (section 8)', async () => {
    const key = await createSigningKey();
    for (const nonce of [undefined, 'made-up']) {
      const answer = await dpop.refresh('x', await dpop.prove(key, { nonce }));
      expect(errorOf(answer)).toEqual([400, 'use_dpop_nonce']);
      expect(answer.headers['dpop-nonce']).toMatch(/^[\w-]{43}$/);
      expect(answer.headers['cache-control']).toContain('no-store');
    }
  });

  test('OA9: every fault of a proof is invalid_dpop_proof, and the link stays', async () => {
    const key = await createSigningKey();
    const { refresh_token: token } = await dpop.linkWith(key);
    const nonce = await dpop.freshNonce(key);
    const now = Math.floor(Date.now() / 1000);
    const other = await createSigningKey();
    const proofs: [string, string][] = [
      ['htm', await dpop.prove(key, { nonce, htm: 'GET' })],
      ['htu', await dpop.prove(key, { nonce, htu: dpop.userinfoUrl })],
      ['htu of another host', await dpop.prove(key, { nonce, htu: 'https://evil.example/oauth/token' })],
      ['no jti', await dpop.prove(key, { nonce, jti: undefined })],
      ['no iat', await dpop.prove(key, { nonce, iat: undefined })],
      ['iat of another time', await dpop.prove(key, { nonce, iat: 1 })],
      ['iat of yesterday', await dpop.prove(key, { nonce, iat: now - 25 * 3600 })],
      ['iat of tomorrow', await dpop.prove(key, { nonce, iat: now + 25 * 3600 })],
      ['typ', await dpop.prove(key, { nonce }, { typ: 'JWT' })],
      ['the key of another', await dpop.prove(key, { nonce }, { jwk: other.jwk })],
      ['no key', await dpop.prove(key, { nonce }, { jwk: undefined })],
      ['nonsense', 'nonsense'],
      [
        'no signature',
        `${encodePart({ typ: 'dpop+jwt', alg: 'none', jwk: key.jwk })}.${encodePart({ jti: 'x', iat: now, htm: 'POST', htu: dpop.tokenUrl, nonce })}.`,
      ],
    ];
    for (const [name, proof] of proofs) {
      expect([name, ...errorOf(await dpop.refresh(token, proof))]).toEqual([name, 400, 'invalid_dpop_proof']);
    }
    // A clock that is off by hours is no fault, since the nonce shows the age. Without a nonce the server asks for one.
    const hours = await dpop.refresh(token, await dpop.prove(key, { nonce, iat: now - 14 * 3600 }));
    expect(hours.status).toBe(200);
    const old = await dpop.refresh(token, await dpop.prove(key, { iat: now - 3600 }));
    expect(errorOf(old)).toEqual([400, 'use_dpop_nonce']);
    const { refresh_token: next } = hours.json();
    expect((await dpop.refresh(next, await dpop.prove(key, { nonce }))).status).toBe(200);
  });

  test('OA9: a proof is valid once over all processes, and a repetition does not end the link', async () => {
    const key = await createSigningKey();
    const { refresh_token: token } = await dpop.linkWith(key);
    const proof = await dpop.prove(key, { nonce: await dpop.freshNonce(key) });
    const answers = await Promise.all(Array.from({ length: 6 }, () => dpop.refresh(token, proof)));
    const good = answers.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(errorOf(answer)).toEqual([400, 'invalid_dpop_proof']);
    }
    const successor = good[0]?.json().refresh_token;
    const again = await dpop.refresh(successor, await dpop.prove(key, { nonce: await dpop.freshNonce(key) }));
    expect(again.status).toBe(200);
  });

  test('OA9: a refresh token of a public client is bound to its key, and needs a proof', async () => {
    const key = await createSigningKey();
    const { refresh_token: token } = await dpop.linkWith(key);
    const thief = await createSigningKey();
    expect(
      errorOf(await dpop.refresh(token, await dpop.prove(thief, { nonce: await dpop.freshNonce(thief) }))),
    ).toEqual([400, 'invalid_grant']);
    expect(errorOf(await dpop.refresh(token))).toEqual([400, 'invalid_grant']);
    expect(
      (await dpop.refresh(token, await dpop.prove(key, { nonce: await dpop.freshNonce(key) }))).status,
    ).toBe(200);
  });
});

describe('key-bound codes and tokens (RFC 9449)', () => {
  test('OA9: a code requested with dpop_jkt is redeemed with that key only', async () => {
    const key = await createSigningKey();
    const other = await createSigningKey();
    const { url, checks } = await app.rp.authorizationUrl({ dpop_jkt: key.thumbprint });
    let arrived = await agent.navigate(url);
    if (arrived.url.pathname === '/consent') {
      arrived = await world.approve(agent, world.interactionOf(arrived.url));
    }
    const answer = await dpop.post(
      {
        grant_type: 'authorization_code',
        code: arrived.url.searchParams.get('code') ?? '',
        redirect_uri: app.redirectUri,
        code_verifier: checks.pkceCodeVerifier,
      },
      await dpop.prove(other, { nonce: await dpop.freshNonce(other) }),
    );
    expect(errorOf(answer)).toEqual([400, 'invalid_grant']);
  });

  test('OA9: a proof sent with a pushed request binds the code to its key (section 10.1)', async () => {
    const key = await createSigningKey();
    const { url, checks } = await app.rp.authorizationUrl({ prompt: 'consent' });
    const htu = `${world.origin}/oauth/par`;
    const pushed = await world.browser().request('POST', '/oauth/par', {
      form: Object.fromEntries(url.searchParams),
      headers: { origin: '', dpop: await dpop.prove(key, { htu, nonce: await dpop.freshNonce(key) }) },
    });
    expect(pushed.status, pushed.body).toBe(201);
    const { request_uri } = pushed.json();
    const query = new URLSearchParams({ client_id: app.clientId, request_uri });
    const consent = await agent.navigate(`/oauth/authorize?${query}`);
    const { url: callback } = await world.approve(agent, world.interactionOf(consent.url));
    const form = {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: app.redirectUri,
      code_verifier: checks.pkceCodeVerifier,
    };
    const other = await createSigningKey();
    const stolen = await dpop.post(form, await dpop.prove(other, { nonce: await dpop.freshNonce(other) }));
    expect(errorOf(stolen)).toEqual([400, 'invalid_grant']);
  });

  test('OA9: userinfo accepts a bound token only with its proof (section 7)', async () => {
    const key = await createSigningKey();
    const { access_token: token, token_type } = await dpop.linkWith(key);
    expect(token_type).toBe('DPoP');
    const nonce = await dpop.freshNonce(key);
    const ath = hashOf(token);
    const right = { htm: 'GET', htu: dpop.userinfoUrl, nonce, ath };
    expect((await dpop.userinfo(token, await dpop.prove(key, right))).status).toBe(200);

    const bearer = await dpop.userinfo(token, undefined, 'Bearer');
    expect(errorOf(bearer)).toEqual([401, 'invalid_token']);
    expect(bearer.headers['www-authenticate']).toContain('DPoP');

    const used = await dpop.prove(key, right);
    expect((await dpop.userinfo(token, used)).status).toBe(200);
    const thief = await createSigningKey();
    const refused: [string, string, string][] = [
      ['ath', await dpop.prove(key, { ...right, ath: hashOf('another') }), 'invalid_dpop_proof'],
      ['no ath', await dpop.prove(key, { ...right, ath: undefined }), 'invalid_dpop_proof'],
      ['htm', await dpop.prove(key, { ...right, htm: 'POST' }), 'invalid_dpop_proof'],
      ['htu', await dpop.prove(key, { ...right, htu: dpop.tokenUrl }), 'invalid_dpop_proof'],
      ['nonce', await dpop.prove(key, { ...right, nonce: 'made-up' }), 'use_dpop_nonce'],
      ['replay', used, 'invalid_dpop_proof'],
      ['key', await dpop.prove(thief, right), 'invalid_token'],
    ];
    for (const [name, proof, error] of refused) {
      const answer = await dpop.userinfo(token, proof);
      expect([name, ...errorOf(answer)]).toEqual([name, 401, error]);
      expect(answer.headers['www-authenticate']).toMatch(/^DPoP .*algs="ES256 Ed25519 EdDSA"/);
    }
  });

  test('introspection shows the key of a bound token (section 6.2)', async () => {
    const confidential = await world.registerApp();
    const handle = oidc.getDPoPHandle(confidential.rp.configuration, await oidc.randomDPoPKeyPair('ES256'));
    const { url, checks } = await confidential.rp.authorizationUrl();
    const consent = await agent.navigate(url);
    const { url: callback } = await world.approve(agent, world.interactionOf(consent.url));
    const tokens = await oidc.authorizationCodeGrant(
      confidential.rp.configuration,
      callback,
      checks,
      undefined,
      { DPoP: handle },
    );
    expect(await confidential.rp.introspect(tokens.access_token)).toMatchObject({
      active: true,
      token_type: 'DPoP',
      cnf: { jkt: await handle.calculateThumbprint() },
    });
  });

  test('a client registered for bound tokens gets no token without a proof', async () => {
    const { url, checks } = await app.rp.authorizationUrl();
    let arrived = await agent.navigate(url);
    if (arrived.url.pathname === '/consent') {
      arrived = await world.approve(agent, world.interactionOf(arrived.url));
    }
    await expect(app.rp.exchange(arrived.url, checks)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('an app in the browser may send proofs and read the nonce', async () => {
    const origin = 'https://app.example';
    const preflight = await world.browser().request('OPTIONS', '/oauth/token', {
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'dpop',
      },
    });
    expect(preflight.headers['access-control-allow-origin']).toBe(origin);
    expect(String(preflight.headers['access-control-allow-headers']).toLowerCase()).toContain('dpop');
    const answer = await world.browser().request('POST', '/oauth/token', {
      form: { grant_type: 'refresh_token', refresh_token: 'x', client_id: app.clientId },
      headers: {
        origin,
        'sec-fetch-site': 'cross-site',
        dpop: await dpop.prove(await createSigningKey(), {}),
      },
    });
    expect(answer.json().error).toBe('use_dpop_nonce');
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
    expect(String(answer.headers['access-control-expose-headers'])).toMatch(/dpop-nonce/i);
  });

  test('a JWT for an API has the key in its claims', async () => {
    const confidential = await world.registerApp();
    const handle = oidc.getDPoPHandle(confidential.rp.configuration, await oidc.randomDPoPKeyPair('ES256'));
    const { ask } = createRequests(world, agent);
    const { arrived, checks } = await ask({ app: confidential });
    const { url: callback } = await world.approve(agent, world.interactionOf(arrived.url));
    const tokens = await oidc.authorizationCodeGrant(
      confidential.rp.configuration,
      callback,
      checks,
      { resource: LIGHTS },
      { DPoP: handle },
    );
    const { payload } = await acceptAccessToken(world, tokens.access_token, LIGHTS);
    expect(payload.cnf).toEqual({ jkt: await handle.calculateThumbprint() });
  });
});
