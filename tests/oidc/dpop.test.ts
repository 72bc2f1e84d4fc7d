import * as oauth from 'oauth4webapi';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import type { UserAgent } from '../support/user-agent.ts';
import type { RegisteredApp } from './authorization.ts';
import { createDPoPClient, createProofKey, type DPoPClient, errorOf } from './dpop-client.ts';

let world: SecureWorld;
let app: RegisteredApp;
let agent: UserAgent;
let dpop: DPoPClient;
beforeAll(async () => {
  world = await createSecureWorld({ servers: 2 });
  app = await world.registerApp({ token_endpoint_auth_method: 'none', dpop_bound_access_tokens: true });
  ({ agent } = await world.signUp());
  dpop = createDPoPClient(world, { agent, app });
});
afterAll(() => world.close());

describe('DPoP (RFC 9449)', () => {
  test('openid-client links, asks userinfo and refreshes, led to the nonce by the server', async () => {
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

  test('OA9: a proof without a nonce, or with a made-up one, is told a fresh one (section 8)', async () => {
    const key = await createProofKey();
    for (const nonce of [undefined, 'made-up']) {
      const answer = await dpop.refresh('x', await dpop.prove(key, { nonce }));
      expect(errorOf(answer)).toEqual([400, 'use_dpop_nonce']);
      expect(answer.headers['dpop-nonce']).toMatch(/^[\w-]{43}$/);
      expect(answer.headers['cache-control']).toContain('no-store');
    }
  });

  test('OA9: what is wrong with a proof is invalid_dpop_proof, and the link lives on', async () => {
    const key = await createProofKey();
    const { refresh_token: token } = await dpop.linkWith(key);
    const nonce = await dpop.freshNonce(key);
    const now = Math.floor(Date.now() / 1000);
    const other = await createProofKey();
    const proofs: [string, string][] = [
      ['htm', await dpop.prove(key, { nonce, htm: 'GET' })],
      ['htu', await dpop.prove(key, { nonce, htu: dpop.userinfoUrl })],
      ['htu of another host', await dpop.prove(key, { nonce, htu: 'https://evil.example/oauth/token' })],
      ['no jti', await dpop.prove(key, { nonce, jti: undefined })],
      ['no iat', await dpop.prove(key, { nonce, iat: undefined })],
      ['typ', await dpop.prove(key, { nonce }, { typ: 'JWT' })],
      ['the key of another', await dpop.prove(key, { nonce }, { jwk: other.jwk })],
      ['no key', await dpop.prove(key, { nonce }, { jwk: undefined })],
      ['nonsense', 'nonsense'],
      [
        'no signature',
        `${Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg: 'none', jwk: key.jwk })).toString('base64url')}.${Buffer.from(JSON.stringify({ jti: 'x', iat: now, htm: 'POST', htu: dpop.tokenUrl, nonce })).toString('base64url')}.`,
      ],
    ];
    for (const [name, proof] of proofs) {
      expect([name, ...errorOf(await dpop.refresh(token, proof))]).toEqual([name, 400, 'invalid_dpop_proof']);
    }
    // Its age counts only without a nonce; then a fresh one is asked for.
    const old = await dpop.refresh(token, await dpop.prove(key, { iat: now - 3600 }));
    expect(errorOf(old)).toEqual([400, 'use_dpop_nonce']);
    expect((await dpop.refresh(token, await dpop.prove(key, { nonce }))).status).toBe(200);
  });

  test('OA9: a proof is good once, whichever process sees it first, and a repeat costs no link', async () => {
    const key = await createProofKey();
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
    const key = await createProofKey();
    const { refresh_token: token } = await dpop.linkWith(key);
    const thief = await createProofKey();
    expect(
      errorOf(await dpop.refresh(token, await dpop.prove(thief, { nonce: await dpop.freshNonce(thief) }))),
    ).toEqual([400, 'invalid_grant']);
    expect(errorOf(await dpop.refresh(token))).toEqual([400, 'invalid_grant']);
    expect(
      (await dpop.refresh(token, await dpop.prove(key, { nonce: await dpop.freshNonce(key) }))).status,
    ).toBe(200);
  });
});
