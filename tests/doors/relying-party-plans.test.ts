import * as jose from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createOpenidProvider, type OpenidProvider } from '../support/openid-provider.ts';
import type { World } from '../support/world.ts';
import { accountOf, createDoorWorld, goTo, locationOf, registerHere } from './door-world.ts';

/**
 * The rules of the OpenID Foundation's plans for relying parties, by the names of their modules:
 * `oidcc-client-basic-certification-test-plan`, `oidcc-client-config-certification-test-plan`, and
 * `oidcc-client-formpost-basic-certification-test-plan`, which has the modules of the first with posted answers.
 */
describe.each(['query', 'form_post'] as const)('as a relying party, answers by %s', (responseMode) => {
  let played: OpenidProvider;
  let world: World;
  const somebody = { sub: 'rp', email: 'rp@ours.example', email_verified: true, name: 'Rita Party' };
  let id: string;

  beforeAll(async () => {
    played = await createOpenidProvider();
    world = await createDoorWorld([played.entry({ email_domains: ['ours.example'] })], {
      hosts: [played.host],
    });
    const first = await signIn();
    const made = await registerHere(world, first.agent, first.uid);
    await first.agent.navigate(made.json().returnTo);
    id = await accountOf(first.agent);
  });
  afterAll(async () => {
    await world.close();
    await played.close();
  });
  afterEach(() => {
    Object.assign(played.habits, {
      answers: {},
      claims: (claims: unknown) => claims,
      sign: undefined,
      thinIdToken: false,
      hidesKid: false,
      userInfoSubject: undefined,
      metadata: {},
    });
  });

  /** The person signs in at the provider and comes back, by the response mode. */
  const signIn = async () => {
    const way = await goTo(world);
    const callback = played.signIn(way.authorization, somebody);
    if (responseMode === 'query') return { ...way, arrived: await way.agent.navigate(callback) };
    const posted = await world.browser().request('POST', callback.pathname, {
      form: Object.fromEntries(callback.searchParams),
      headers: { origin: 'null', 'sec-fetch-site': 'cross-site' },
    });
    return { ...way, arrived: await way.agent.navigate(locationOf(posted, world.origin)) };
  };

  const accepted = async () => {
    const { agent, arrived } = await signIn();
    expect(arrived.url.pathname, arrived.url.href).toBe('/consent');
    expect(await accountOf(agent)).toBe(id);
  };
  const rejected = async () => {
    const before = played.asked.filter((path) => path === '/userinfo').length;
    const { agent, arrived } = await signIn();
    expect(arrived.url.searchParams.get('reason')).toBe('provider_failed');
    expect((await agent.get('/api/account')).status).toBe(401);
    return { asksUserInfo: played.asked.filter((path) => path === '/userinfo').length > before };
  };
  const changing = (change: (claims: jose.JWTPayload) => jose.JWTPayload) => {
    played.habits.claims = change;
  };
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test('oidcc-client-test: the code flow, with the ID Token verified', accepted);

  test('oidcc-client-test-client-secret-basic: the client authenticates by client_secret_basic', async () => {
    played.habits.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] };
    await accepted();
  });

  test('oidcc-client-test-nonce-invalid: another nonce is refused', async () => {
    changing((claims) => ({ ...claims, nonce: `${claims.nonce}1` }));
    expect(await rejected()).toEqual({ asksUserInfo: false });
  });

  test('oidcc-client-test-invalid-iss: another issuer is refused', async () => {
    changing((claims) => ({ ...claims, iss: `${claims.iss}1` }));
    expect(await rejected()).toEqual({ asksUserInfo: false });
  });

  test('oidcc-client-test-invalid-aud: another audience is refused', async () => {
    changing((claims) => ({ ...claims, aud: 'another' }));
    await rejected();
  });

  test.each(['aud', 'sub', 'iat'])('oidcc-client-test-missing-%s: it is refused', async (name) => {
    changing(({ [name]: _, ...claims }) => claims);
    await rejected();
  });

  test('oidcc-client-test-idtoken-sig-none: no signature is refused, though the specification lets the code flow take one', async () => {
    played.habits.sign = (claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`;
    await rejected();
  });

  test('oidcc-client-test-idtoken-sig-rs256: the default algorithm is verified', accepted);

  test('oidcc-client-test-invalid-sig-rs256: a broken signature is refused', async () => {
    const { privateKey } = await jose.generateKeyPair('RS256');
    played.habits.sign = (claims) =>
      new jose.SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: played.keyIds()[0] ?? '' })
        .sign(privateKey);
    await rejected();
  });

  test('oidcc-client-test-kid-absent-single-jwks: the one key that fits is used', async () => {
    played.habits.hidesKid = true;
    await accepted();
    played.habits.hidesKid = false;
  });

  test('oidcc-client-test-kid-absent-multiple-jwks: where several fit, the token is refused', async () => {
    await played.rotateKeys();
    await played.addKey();
    played.habits.hidesKid = true;
    // By the key that was read before, then by those that are read anew.
    await rejected();
    await rejected();
    played.habits.hidesKid = false;
    await played.rotateKeys();
    await accepted();
  });

  test('oidcc-client-test-scope-userinfo-claims: claims that the ID Token lacks are read at the UserInfo endpoint', async () => {
    played.habits.thinIdToken = true;
    await accepted();
    const rows = await world.db
      .selectFrom('federated_identity')
      .select('email')
      .where('subject', '=', 'rp')
      .execute();
    expect(rows).toEqual([{ email: somebody.email }]);
  });

  test('oidcc-client-test-userinfo-invalid-sub: another subject there is refused', async () => {
    played.habits.thinIdToken = true;
    played.habits.userInfoSubject = 'another';
    await rejected();
  });

  if (responseMode === 'query') {
    test('oidcc-client-test-discovery-openid-config, oidcc-client-test-discovery-jwks-uri-keys: both are read', () => {
      expect(played.asked.slice(0, 3)).toEqual(['/.well-known/openid-configuration', '/token', '/jwks']);
    });

    test('oidcc-client-test-discovery-issuer-mismatch: metadata of another issuer is not taken', async () => {
      const other = await createOpenidProvider();
      other.habits.metadata = { issuer: 'https://evil.example' };
      const there = await createDoorWorld([other.entry()], { hosts: [other.host] });
      const agent = there.browser();
      const { url } = await agent.navigate('/login');
      const back = await agent.navigate(`/interaction/${there.interactionOf(url)}/provider/played`);
      expect(back.url.searchParams.get('reason')).toBe('provider_failed');
      await there.close();
      await other.close();
    });

    test('oidcc-client-test-signing-key-rotation, -just-before-signing: a new key is read when a token needs it', async () => {
      await accepted();
      await played.rotateKeys();
      await accepted();
      await played.rotateKeys();
      await accepted();
    });
  }
});
