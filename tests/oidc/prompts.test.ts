import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { bootOf, type RegisteredApp } from './authorization.ts';

let world: SecureWorld;
let app: RegisteredApp;
let agent: UserAgent;
let identifier: string;
beforeAll(async () => {
  world = await createSecureWorld();
  app = await world.registerApp();
  ({ agent, identifier } = await world.signUp());
  await world.link(agent, app.rp);
});
afterAll(() => world.close());

const ask = async (
  parameters: Record<string, string>,
  { person = agent, of = app }: { person?: UserAgent; of?: RegisteredApp } = {},
) => {
  const { url, checks } = await of.rp.authorizationUrl(parameters);
  return { arrived: await person.navigate(url), checks };
};

const errorOf = ({ arrived }: Awaited<ReturnType<typeof ask>>) => {
  expect(arrived.url.origin).toBe('https://app.example');
  expect(arrived.url.searchParams.get('iss')).toBe(world.origin);
  return arrived.url.searchParams.get('error');
};

describe('OA13: prompt=none never shows a page', () => {
  test('consent_required for what nobody approved', async () => {
    const fresh = await world.registerApp();
    const refused = errorOf(await ask({ prompt: 'none' }, { of: fresh }));
    expect(refused).toBe('consent_required');
    expect(errorOf(await ask({ prompt: 'none', scope: 'openid email' }))).toBe('consent_required');
  });

  test('interaction_required for an app that another app could imitate, each time', async () => {
    const native = await world.registerApp({
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    });
    await world.link(agent, native.rp);
    expect(errorOf(await ask({ prompt: 'none' }, { of: native }))).toMatch(
      /^(interaction|consent)_required$/,
    );
  });

  test.each(['none login', 'none consent', 'none select_account', 'login none', 'none create'])(
    '“%s” is invalid_request',
    async (prompt) => {
      expect(errorOf(await ask({ prompt }))).toBe('invalid_request');
    },
  );
});

describe('OA13: a client’s metadata about the sign-in', () => {
  test('require_auth_time: auth_time is in the id_token without a request for it', async () => {
    const strict = await world.registerApp({ require_auth_time: true });
    const { tokens } = await world.link(agent, strict.rp);
    expect(tokens.claims()?.auth_time).toBeTypeOf('number');
    const { tokens: usual } = await world.link(agent, app.rp);
    expect(usual.claims()).not.toHaveProperty('auth_time');
  });

  test('default_max_age: an older sign-in is repeated, unless the request says otherwise', async () => {
    await world.db
      .updateTable('session')
      .set({ payload: sql`jsonb_set(payload, '{loginTs}', to_jsonb((payload->>'loginTs')::int - 100))` })
      .execute();
    const strict = await world.registerApp({ default_max_age: 50 });
    const { arrived } = await ask({}, { of: strict });
    expect(arrived.url.pathname).toBe('/login');
    const { arrived: asked } = await ask({ max_age: '5000' }, { of: strict });
    expect(asked.url.pathname).toBe('/consent');
  });

  test('default_acr_values are voluntary in each request', async () => {
    const strict = await world.registerApp({ default_acr_values: ['otp'] });
    expect((await world.link(agent, strict.rp)).tokens.claims()?.acr).toBe('otp');
  });
});

describe('OA13: prompts that ask', () => {
  test.each([
    ['consent', '/consent'],
    ['select_account', '/login'],
    ['create', '/register'],
    ['login consent', '/login'],
  ])('prompt=%s leads to %s, whoever is signed in', async (prompt, path) => {
    const { arrived } = await ask({ prompt });
    expect(arrived.url.pathname).toBe(path);
  });

  test('prompt=login consent asks for both, one after the other', async () => {
    const { arrived, checks } = await ask({ prompt: 'login consent' });
    const consent = await world.login(agent, world.interactionOf(arrived.url), identifier);
    expect(consent.url.pathname).toBe('/consent');
    const done = await world.approve(agent, world.interactionOf(consent.url));
    expect((await app.rp.exchange(done.url, checks)).claims()?.nonce).toBe(checks.expectedNonce);
  });

  test.each([
    '"><script>alert(1)</script>',
    '</script><img src=x onerror=alert(1)>',
    "' onfocus='alert(1)",
    '{{7*7}}',
    'javascript:alert(1)',
  ])('a login_hint of %j is text on the page and nothing more', async (hint) => {
    const person = world.browser();
    const { arrived } = await ask({ login_hint: hint }, { person });
    expect(arrived.url.pathname).toBe('/login');
    expect(arrived.answer?.body).not.toContain(hint);
    expect(bootOf(arrived)).toBeTypeOf('object');
    expect(arrived.answer?.headers['content-security-policy']).not.toContain('unsafe-inline');
    const details = await world.details(person, world.interactionOf(arrived.url));
    expect(details.loginHint).toBe(hint);
  });

  test('a signed-in person who has to sign in again finds the identifier filled in, unless the request asks for another account', async () => {
    const person = await world.signIn(identifier);
    await world.link(person.agent, app.rp);
    const hintFor = async (parameters: Record<string, string>) => {
      const { arrived } = await ask(parameters, { person: person.agent });
      const uid = world.interactionOf(arrived.url);
      return { uid, hint: (await world.details(person.agent, uid)).loginHint };
    };
    const { uid, hint } = await hintFor({ prompt: 'login' });
    expect(hint).toBe(identifier);
    expect((await hintFor({ max_age: '0' })).hint).toBe(identifier);
    expect((await hintFor({ prompt: 'login', login_hint: 'mia@example.com' })).hint).toBe('mia@example.com');
    for (const prompt of ['create', 'select_account'])
      expect((await hintFor({ prompt })).hint).toBeUndefined();
    await person.agent.post(`/interaction/${uid}/switch-account`);
    expect((await world.details(person.agent, uid)).loginHint).toBeUndefined();
    // Without a session nobody is named, although the browser remembers an account.
    await person.agent.post('/api/sign-out');
    expect((await hintFor({ prompt: 'login' })).hint).toBeUndefined();
  });

  test('ui_locales: the first known language is the page’s language, and unknown ones are skipped', async () => {
    for (const [locales, locale] of [
      ['ru', 'ru'],
      ['xx zh-TW en', 'zh-Hant'],
      ['zh', 'zh-Hans'],
      ['"><script>', 'en'],
    ] as const) {
      const person = world.browser();
      const { arrived } = await ask({ ui_locales: locales }, { person });
      const details = await world.details(person, world.interactionOf(arrived.url));
      expect([locales, details.locale]).toEqual([locales, locale]);
    }
  });

  test.each(['', ' ', 'a'.repeat(300), 'é"\\<>&'])(
    'a nonce of %j comes back as it was, or not at all',
    async (nonce) => {
      const { url, checks } = await app.rp.authorizationUrl({ nonce: nonce || 'x' });
      url.searchParams.set('nonce', nonce);
      const arrived = await agent.navigate(url);
      const { expectedNonce: _, ...rest } = checks;
      const tokens = await app.rp.exchange(arrived.url, { ...rest, ...(nonce && { expectedNonce: nonce }) });
      expect(tokens.claims()?.nonce ?? '').toBe(nonce);
    },
  );
});
