import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { answer, type RegisteredApp, refusal, start } from './authorization.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe('the four prompts', () => {
  test('login: a browser without a session signs in, and the page names nobody', async () => {
    const agent = world.browser();
    const { uid, path, app } = await start(world, { agent, parameters: { login_hint: 'mia@example.com' } });
    expect(path).toBe('/login');
    const details = await world.details(agent, uid);
    expect(details).toMatchObject({
      prompt: 'login',
      client: { id: app.clientId, name: 'Example App', uri: 'https://app.example/', host: 'app.example' },
      accounts: [],
      locale: 'en',
      loginHint: 'mia@example.com',
    });
    expect(details).not.toHaveProperty('account');
    expect(Date.parse(details.expiresAt)).toBeGreaterThan(Date.now());
    expect(details.agreements.length).toBeGreaterThan(0);
    for (const agreement of details.agreements) {
      expect(Object.keys(agreement).sort()).toEqual(['id', 'required', 'separate', 'version']);
    }
  });

  test('create: prompt=create opens the registration', async () => {
    const agent = world.browser();
    const { uid, path } = await start(world, { agent, parameters: { prompt: 'create' } });
    expect(path).toBe('/register');
    expect((await world.details(agent, uid)).prompt).toBe('create');
    const consent = await world.register(agent, uid, 'create@example.com');
    expect(consent.url.pathname).toBe('/consent');
  });

  test('create: a person who already has an account signs in instead', async () => {
    const { identifier } = await world.signUp();
    const agent = world.browser();
    const { uid } = await start(world, { agent, parameters: { prompt: 'create' } });
    expect((await world.login(agent, uid, identifier)).url.pathname).toBe('/consent');
  });

  test('select_account: names the signed-in account; consent: names the account and each scope', async () => {
    const { agent, identifier } = await world.signUp();
    const { uid, path, app } = await start(world, {
      agent,
      parameters: { prompt: 'select_account', scope: 'openid profile phone' },
    });
    expect(path).toBe('/login');
    const selection = await world.details(agent, uid);
    expect(selection).toMatchObject({ prompt: 'select_account', account: { identifier } });
    const { id } = selection.account;
    expect(selection.accounts).toEqual([{ id, identifier }]);

    const consent = await answer(agent, `/interaction/${uid}/continue`);
    expect(consent.url.pathname).toBe('/consent');
    const details = await world.details(agent, world.interactionOf(consent.url));
    expect(details).toMatchObject({
      prompt: 'consent',
      client: { id: app.clientId },
      account: { identifier },
      scopes: ['openid', 'profile', 'phone', 'offline_access'].map((name) => ({
        name,
        granted: false,
        optional: false,
      })),
    });
  });

  test('the request’s ui_locales come before the browser’s language', async () => {
    const agent = world.browser({ language: 'ru' });
    const chinese = await start(world, { agent, parameters: { ui_locales: 'fr zh-TW en' } });
    expect((await world.details(agent, chinese.uid)).locale).toBe('zh-Hant');
    const russian = await start(world, { agent, parameters: { ui_locales: 'fr tlh' } });
    expect((await world.details(agent, russian.uid)).locale).toBe('ru');
  });

  test('single sign-on is silent, except for the consent to a new app', async () => {
    const { agent } = await world.signUp();
    expect((await start(world, { agent })).path).toBe('/consent');
  });
});

describe('quick login', () => {
  const authTimes = async (agent: UserAgent, app: RegisteredApp, parameters: Record<string, string>) => {
    const { url, checks } = await app.rp.authorizationUrl(parameters);
    let page = await agent.navigate(url);
    if (page.url.pathname === '/login') {
      page = await answer(agent, `/interaction/${world.interactionOf(page.url)}/continue`);
    }
    if (page.url.pathname === '/consent') page = await world.approve(agent, world.interactionOf(page.url));
    return (await app.rp.exchange(page.url, checks)).claims()?.auth_time;
  };

  test('continues as the signed-in account and never changes auth_time', async () => {
    const { agent } = await world.signUp();
    const app = await world.registerApp({ require_auth_time: true });
    const first = await authTimes(agent, app, {});
    expect(first).toBeTypeOf('number');
    await sql`update session set payload = jsonb_set(payload, '{loginTs}', '1700000000')`.execute(world.db);
    expect(await authTimes(agent, app, { prompt: 'select_account' })).toBe(1_700_000_000);
  });

  test.each([
    ['prompt=login', { prompt: 'select_account login' }],
    ['max_age', { prompt: 'select_account', max_age: '3600' }],
    ['acr_values', { prompt: 'select_account', acr_values: 'urn:example:strong' }],
  ])('is refused under %s, and no account is named', async (_name, parameters) => {
    const { agent, identifier } = await world.signUp();
    const { uid } = await start(world, { agent, parameters });
    expect(await world.details(agent, uid)).not.toHaveProperty('account');
    expect(refusal(await agent.post(`/interaction/${uid}/continue`))).toEqual([403, 'step_up_required']);
    expect((await world.login(agent, uid, identifier)).url.pathname).toBe('/consent');
  });

  test('is refused without a session, and for a consent', async () => {
    const stranger = world.browser();
    const login = await start(world, { agent: stranger });
    expect(refusal(await stranger.post(`/interaction/${login.uid}/continue`))).toEqual([
      401,
      'not_signed_in',
    ]);

    const { agent } = await world.signUp();
    const consent = await start(world, { agent });
    expect((await agent.post(`/interaction/${consent.uid}/continue`)).status).toBe(403);
    expect((await world.details(agent, consent.uid)).prompt).toBe('consent');
  });
});

describe('another account', () => {
  test('leads to /login, and the app gets the account that signs in there', async () => {
    const other = await world.signUp();
    const { agent, identifier } = await world.signUp();
    const { uid, checks, app } = await start(world, { agent, parameters: { scope: 'openid email' } });
    const login = await answer(agent, `/interaction/${uid}/switch-account`);
    expect(login.url.pathname).toBe('/login');
    const details = await world.details(agent, uid);
    expect(details.prompt).toBe('login');
    expect(details).not.toHaveProperty('account');
    expect(details.accounts.map((account: { identifier: string }) => account.identifier)).toEqual([
      identifier,
    ]);

    const consent = await world.login(agent, uid, other.identifier);
    expect(consent.url.pathname).toBe('/consent');
    const consentUid = world.interactionOf(consent.url);
    expect((await world.details(agent, consentUid)).account.identifier).toBe(other.identifier);
    const callback = await world.approve(agent, consentUid);
    const tokens = await app.rp.exchange(callback.url, checks);
    expect(await app.rp.userinfo(tokens.access_token)).toMatchObject({ email: other.identifier });
    expect((await agent.get('/api/account')).json().email).toBe(other.identifier);
  });

  test('works from the account selection as well', async () => {
    const other = await world.signUp();
    const { agent } = await world.signUp();
    const { uid } = await start(world, { agent, parameters: { prompt: 'select_account' } });
    await answer(agent, `/interaction/${uid}/switch-account`);
    expect((await agent.post(`/interaction/${uid}/continue`)).status).toBe(403);
    const consent = await world.login(agent, uid, other.identifier);
    expect(consent.url.pathname).toBe('/consent');
    expect((await world.details(agent, world.interactionOf(consent.url))).account.identifier).toBe(
      other.identifier,
    );
  });

  test('a new person may register there', async () => {
    const { agent } = await world.signUp();
    const { uid } = await start(world, { agent });
    await answer(agent, `/interaction/${uid}/switch-account`);
    const consent = await world.register(agent, uid, 'switched@example.com');
    expect(consent.url.pathname).toBe('/consent');
    expect((await world.details(agent, world.interactionOf(consent.url))).account.identifier).toBe(
      'switched@example.com',
    );
  });

  test('the same account may sign in again', async () => {
    const { agent, identifier } = await world.signUp();
    const { uid } = await start(world, { agent });
    await answer(agent, `/interaction/${uid}/switch-account`);
    expect((await world.login(agent, uid, identifier)).url.pathname).toBe('/consent');
  });
});

describe('declining', () => {
  test.each(['login', 'consent'])(
    'at the %s page the app gets access_denied with iss and state',
    async (page) => {
      const agent = page === 'login' ? world.browser() : (await world.signUp()).agent;
      const { uid, checks } = await start(world, { agent });
      const { url } = await answer(agent, `/interaction/${uid}/abort`);
      expect(url.origin + url.pathname).toBe('https://app.example/callback');
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        error: 'access_denied',
        state: checks.expectedState,
        iss: world.origin,
      });
      expect(url.searchParams.has('code')).toBe(false);
    },
  );
});
