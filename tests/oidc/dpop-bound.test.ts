import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { acceptAccessToken } from './access-token.ts';
import type { RegisteredApp } from './authorization.ts';
import { createDPoPClient, createProofKey, type DPoPClient, errorOf, hashOf } from './dpop-client.ts';
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

describe('what is bound to a key (RFC 9449)', () => {
  test('OA9: a code asked for with dpop_jkt is redeemed with that key only', async () => {
    const key = await createProofKey();
    const other = await createProofKey();
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
    const key = await createProofKey();
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
    const other = await createProofKey();
    const stolen = await dpop.post(form, await dpop.prove(other, { nonce: await dpop.freshNonce(other) }));
    expect(errorOf(stolen)).toEqual([400, 'invalid_grant']);
  });

  test('OA9: userinfo takes a bound token with a proof of it only (section 7)', async () => {
    const key = await createProofKey();
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
    const thief = await createProofKey();
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

  test('introspection tells the key of a bound token (section 6.2)', async () => {
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

  test('a client registered for bound tokens gets none without a proof', async () => {
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
      headers: { origin, 'sec-fetch-site': 'cross-site', dpop: await dpop.prove(await createProofKey(), {}) },
    });
    expect(answer.json().error).toBe('use_dpop_nonce');
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
    expect(String(answer.headers['access-control-expose-headers'])).toMatch(/dpop-nonce/i);
  });

  test('a token for an API names the key in itself', async () => {
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
