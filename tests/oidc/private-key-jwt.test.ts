import { createPublicKey } from 'node:crypto';
import type { CryptoKey, JWK } from 'jose';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startHttpsServer } from '../support/https-server.ts';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import { createSigningKey, signAssertion, signProof } from '../support/signer.ts';
import { basic, encodePart, hashOf } from '../support/token.ts';
import type { Answer } from '../support/user-agent.ts';
import type { RegisteredApp } from './authorization.ts';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

let world: SecureWorld;
let app: RegisteredApp;
let key: CryptoKey;
let publicJwk: JWK;
let rsaKey: CryptoKey;
let rsaPublicPem: string;
/** An app’s own server for its public keys. */
let keys: Awaited<ReturnType<typeof startHttpsServer>>;
let published: JWK[] = [];
/** The address that answers an error. */
let failing: string | undefined;
const fetched: string[] = [];
beforeAll(async () => {
  keys = await startHttpsServer((incoming, outgoing) => {
    fetched.push(String(incoming.url));
    if (incoming.url === failing) outgoing.writeHead(503, { 'cache-control': 'max-age=86400' });
    if (incoming.url?.startsWith('/moved')) outgoing.writeHead(302, { location: '/jwks' });
    if (incoming.url?.startsWith('/cached')) outgoing.setHeader('cache-control', 'max-age=86400');
    outgoing.end(JSON.stringify({ keys: published }));
  });
  world = await createSecureWorld({ servers: 2, env: { BACKCHANNEL_HOSTS: keys.host } });
  const pair = await createSigningKey();
  const rsa = await createSigningKey('RS256');
  key = pair.privateKey;
  rsaKey = rsa.privateKey;
  const rsaPublic = createPublicKey({ key: rsa.jwk, format: 'jwk' });
  rsaPublicPem = rsaPublic.export({ format: 'der', type: 'spki' }).toString('base64');
  publicJwk = { ...pair.jwk, kid: 'ec', use: 'sig', alg: 'ES256' };
  const rsaJwk = { ...rsa.jwk, kid: 'rsa', use: 'sig' };
  app = await world.registerApp(
    {
      token_endpoint_auth_method: 'private_key_jwt',
      client_secret: undefined,
      jwks: { keys: [publicJwk, rsaJwk] },
    },
    { authentication: oidc.PrivateKeyJwt({ key, kid: 'ec' }) },
  );
});
afterAll(async () => {
  await world.close();
  await keys.close();
});

const now = () => Math.floor(Date.now() / 1000);

/** A valid assertion, except for `changes`. */
const assert = (
  changes: Record<string, unknown> = {},
  {
    alg = 'ES256',
    kid = 'ec',
    sign = key,
    ...header
  }: { alg?: string; kid?: string; typ?: string; sign?: CryptoKey | Uint8Array } = {},
) =>
  signAssertion({ privateKey: sign }, { clientId: app.clientId, audience: world.origin }, changes, {
    alg,
    kid,
    ...header,
  });

/** A token request with the assertion: authentication is checked before everything else. */
const ask = (
  assertion: string,
  form: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Answer> =>
  world.browser().request('POST', '/oauth/introspect', {
    form: { token: 'x', client_assertion_type: ASSERTION_TYPE, client_assertion: assertion, ...form },
    headers: { origin: '', ...headers },
  });

const errorOf = ({ status, json }: Answer) => [status, json().error];
const invalidClient = [401, 'invalid_client'];

describe('private_key_jwt (RFC 7523)', () => {
  test('openid-client links, introspects, refreshes and revokes with it', async () => {
    const { agent } = await world.signUp();
    const { tokens } = await world.link(agent, app.rp);
    expect((await app.rp.introspect(tokens.access_token)).active).toBe(true);
    const refreshed = await app.rp.refresh(tokens.refresh_token ?? '');
    await app.rp.revoke(refreshed.access_token);
    expect(await app.rp.introspect(refreshed.access_token)).toEqual({ active: false });
  });

  test('the issuer, the token endpoint or the requested endpoint is its audience, as a string or as a list of one', async () => {
    const { origin } = world;
    for (const aud of [origin, `${origin}/oauth/token`, `${origin}/oauth/introspect`, [origin]]) {
      expect([aud, (await ask(await assert({ aud }))).status]).toEqual([aud, 200]);
    }
    expect((await ask(await assert({}, { alg: 'RS256', kid: 'rsa', sign: rsaKey }))).status).toBe(200);
  });

  test('an assertion needs no iat (RFC 7523 section 3)', async () => {
    expect((await ask(await assert({ iat: undefined }))).status).toBe(200);
  });

  test('OA17: an invalid assertion is 401 invalid_client', async () => {
    const { origin } = world;
    const stranger = (await createSigningKey()).privateKey;
    const claims = { iss: app.clientId, sub: app.clientId, aud: origin, jti: 'x', exp: now() + 60 };
    const wrong: [string, string][] = [
      ['aud', await assert({ aud: 'https://evil.example' })],
      ['aud with a slash', await assert({ aud: `${origin}/` })],
      ['several audiences', await assert({ aud: [origin, 'https://x.example'] })],
      ['one audience twice', await assert({ aud: [origin, origin] })],
      ['no aud', await assert({ aud: undefined })],
      ['iss', await assert({ iss: 'another' })],
      ['no iss', await assert({ iss: undefined })],
      ['no jti', await assert({ jti: undefined })],
      ['no exp', await assert({ exp: undefined })],
      ['expired', await assert({ exp: now() - 60 })],
      ['good for a year', await assert({ exp: now() + 365 * 24 * 3600 })],
      ['not yet', await assert({ nbf: now() + 3600 })],
      ['issued in the future', await assert({ iat: now() + 600, exp: now() + 700 })],
      ['another key', await assert({}, { sign: stranger })],
      ['alg none', `${encodePart({ alg: 'none' })}.${encodePart(claims)}.`],
      [
        'HS256 keyed with the public key',
        await assert({}, { alg: 'HS256', kid: 'rsa', sign: Buffer.from(rsaPublicPem) }),
      ],
      ['nobody', await assert({ iss: 'nobody', sub: 'nobody' })],
      ['nonsense', 'nonsense'],
      ['a JWT of lists', `${encodePart([])}.${encodePart([])}.AA`],
      ['a subject that is no text', `${encodePart({ alg: 'ES256' })}.${encodePart({ sub: {} })}.AA`],
    ];
    for (const [name, assertion] of wrong) {
      const answer = await ask(assertion);
      expect([name, ...errorOf(answer)]).toEqual([name, ...invalidClient]);
      expect(answer.body).not.toContain('at ');
    }
  });

  test('OA17: an assertion that calls itself another kind of JWT is refused', async () => {
    for (const typ of ['dpop+jwt', 'oauth-authz-req+jwt', 'at+jwt', 'logout+jwt', 'application/AT+JWT'])
      expect([typ, ...errorOf(await ask(await assert({}, { typ })))]).toEqual([typ, ...invalidClient]);
    for (const typ of ['JWT', 'client-authentication+jwt'])
      expect([typ, (await ask(await assert({}, { typ }))).status]).toEqual([typ, 200]);
  });

  test('OA17: an assertion is valid once over all processes', async () => {
    const assertion = await assert();
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(assertion)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(errorOf(answer)).toEqual(invalidClient);
    expect(errorOf(await ask(assertion))).toEqual(invalidClient);
  });

  test('OA17: an assertion and the proof of its request may have one jti, and neither is good for a second request', async () => {
    const { agent } = await world.signUp();
    const { tokens } = await world.link(agent, app.rp);
    const device = await createSigningKey();
    const url = `${world.origin}/oauth/token`;
    const prove = (claims: Record<string, unknown>) =>
      signProof(device, { htm: 'POST', htu: url, ...claims });
    const refresh = (assertion: string, proof: string) =>
      world.browser().request('POST', '/oauth/token', {
        form: {
          grant_type: 'refresh_token',
          refresh_token: tokens.refresh_token ?? '',
          client_assertion_type: ASSERTION_TYPE,
          client_assertion: assertion,
        },
        headers: { origin: '', dpop: proof },
      });
    const nonce = String((await refresh(await assert(), await prove({}))).headers['dpop-nonce']);
    // The assertion is good for longer than the proof.
    const assertion = await assert({ jti: 'one', exp: now() + 3_000 });
    const proof = await prove({ jti: 'one', nonce });
    expect((await refresh(assertion, proof)).status).toBe(200);
    const usedProof = [400, 'invalid_dpop_proof'];
    expect(errorOf(await refresh(assertion, proof))).toEqual(usedProof);
    expect(errorOf(await refresh(assertion, await prove({ nonce })))).toEqual(invalidClient);
    expect(errorOf(await refresh(await assert(), proof))).toEqual(usedProof);
    const ends = await world.db
      .selectFrom('oidc_model')
      .select('expires_at')
      .where('model', '=', 'ReplayDetection')
      .where('id_hash', '=', hashOf(hashOf(`${app.clientId}one`)))
      .execute();
    expect(ends.map(({ expires_at: end }) => Number(end) > Date.now() + 2_900_000)).toEqual([true]);
  });

  test('OA17: another method than the registered one is refused', async () => {
    const plain = await world.registerApp();
    const bySecret = basic({ ...app, clientSecret: 'a-secret' });
    const byBasic = await world.browser().request('POST', '/oauth/introspect', {
      form: { token: 'x' },
      headers: { origin: '', ...bySecret },
    });
    expect(errorOf(byBasic)).toEqual(invalidClient);
    const ofPlain = await assert({ iss: plain.clientId, sub: plain.clientId });
    expect(errorOf(await ask(ofPlain))).toEqual(invalidClient);
    // RFC 6749 section 5.2: more than one mechanism is a malformed request.
    const both = await ask(await assert(), {}, bySecret);
    expect(errorOf(both)).toEqual([400, 'invalid_request']);
    const mismatch = await ask(await assert(), { client_id: plain.clientId });
    expect(errorOf(mismatch)).toEqual([400, 'invalid_request']);
  });

  test('OA17: an Authorization header of another scheme than Basic is 401 invalid_client, with WWW-Authenticate', async () => {
    const encoded = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    const headers = [
      'Basic',
      'Basic !!!',
      'Bearer x',
      'Digest username="x"',
      encoded(app.clientId),
      encoded(':'),
      encoded(`${app.clientId}:`),
      encoded(`${app.clientId}:%`),
      encoded(`${app.clientId}:\u0001`),
    ];
    for (const path of ['/oauth/token', '/oauth/introspect', '/oauth/revoke', '/oauth/par']) {
      for (const authorization of headers) {
        const answer = await world
          .browser()
          .request('POST', path, { form: { token: 'x' }, headers: { origin: '', authorization } });
        expect([path, authorization, ...errorOf(answer)]).toEqual([path, authorization, ...invalidClient]);
        expect(answer.headers['www-authenticate']).toMatch(/^Basic realm="https:/);
      }
    }
  });
});

describe('jwks_uri', () => {
  const registerAt = (uri: string) =>
    world.registerApp({
      token_endpoint_auth_method: 'private_key_jwt',
      client_secret: undefined,
      jwks_uri: uri,
    });
  const askAs = async ({ clientId }: RegisteredApp) => ask(await assert({ iss: clientId, sub: clientId }));

  test('gives the keys, from a host that the operator permitted', async () => {
    published = [publicJwk];
    const fresh = await registerAt(`https://${keys.host}/jwks`);
    expect((await askAs(fresh)).status).toBe(200);
    expect(fetched).toContain('/jwks');
  });

  test('that takes a key out ends it within ten minutes, and goes on with its keys while its host is away', async () => {
    published = [publicJwk];
    const [rotating, away] = [
      await registerAt(`https://${keys.host}/jwks?rotating`),
      await registerAt(`https://${keys.host}/jwks?away`),
    ];
    const times = { iat: now(), exp: now() + 1_800 };
    /** At both processes, which take turns. */
    const statuses = async () => {
      const answers = [];
      for (const { clientId } of [rotating, rotating, away, away])
        answers.push((await ask(await assert({ iss: clientId, sub: clientId, ...times }))).status);
      return answers;
    };
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    published = [];
    failing = '/jwks?away';
    vi.useFakeTimers({ now: Date.now() + 10 * 60_000, toFake: ['Date'] });
    try {
      expect(await statuses()).toEqual([401, 401, 200, 200]);
    } finally {
      vi.useRealTimers();
      failing = undefined;
    }
  });

  test('that brings a new key is asked for it after a minute, for however long its host lets others keep the answer', async () => {
    published = [publicJwk];
    const { clientId } = await registerAt(`https://${keys.host}/cached`);
    const claims = { iss: clientId, sub: clientId, iat: now(), exp: now() + 1_800 };
    const fresh = await createSigningKey();
    const statuses = async () => {
      const byNew = { kid: 'new', sign: fresh.privateKey };
      // At both processes, which take turns.
      return [
        (await ask(await assert(claims))).status,
        (await ask(await assert(claims))).status,
        (await ask(await assert(claims, byNew))).status,
        (await ask(await assert(claims, byNew))).status,
      ];
    };
    expect(await statuses()).toEqual([200, 200, 401, 401]);
    published = [publicJwk, { ...fresh.jwk, kid: 'new', use: 'sig', alg: 'ES256' }];
    vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] });
    try {
      expect(await statuses()).toEqual([200, 200, 200, 200]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('leads to no private network, follows no redirect, and without a matching key is invalid_client', async () => {
    published = [publicJwk];
    const before = fetched.length;
    const { port } = new URL(`https://${keys.host}`);
    for (const host of [`127.0.0.1:${port}`, `[::1]:${port}`, '169.254.169.254', '10.0.0.1']) {
      const app = await registerAt(`https://${host}/jwks`);
      expect([host, ...errorOf(await askAs(app))]).toEqual([host, ...invalidClient]);
    }
    expect(fetched).toHaveLength(before);
    expect(errorOf(await askAs(await registerAt(`https://${keys.host}/moved`)))).toEqual(invalidClient);
    expect(fetched.slice(before)).toEqual(['/moved']);
    published = [];
    expect(errorOf(await askAs(await registerAt(`https://${keys.host}/none`)))).toEqual(invalidClient);
  });

  test('that fails is not requested again at once, by any client request', async () => {
    const broken = await registerAt(`https://${keys.host}/moved?again`);
    const before = fetched.length;
    const answers = [await askAs(broken), await askAs(broken), await askAs(broken), await askAs(broken)];
    expect(answers.map(errorOf)).toEqual(answers.map(() => invalidClient));
    // One request by each of the two processes.
    expect(fetched.length - before).toBeLessThanOrEqual(2);
  });
});
