import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { acceptAccessToken } from './access-token.ts';
import { answer, approvalsOf, refusal, start } from './authorization.ts';
import { createRequests, errorOf, LIGHTS, resources, SCENES } from './resources.ts';

let world: World;
let agent: UserAgent;
let ask: ReturnType<typeof createRequests>['ask'];
let approve: ReturnType<typeof createRequests>['approve'];
beforeAll(async () => {
  world = await createWorld();
  await world.registerResources(resources);
  ({ agent } = await world.signUp());
  ({ ask, approve } = createRequests(world, agent));
});
afterAll(() => world.close());

const SCOPE = 'openid profile email';
const choosy = (metadata: Record<string, unknown> = {}) =>
  world.registerApp({ optional_scopes: 'profile email', ...metadata });

/** Approves only `scopes`, and returns what the app got. */
const approveOnly = async (app: Awaited<ReturnType<typeof choosy>>, scopes: string[]) => {
  const { agent, identifier } = await world.signUp();
  const { uid, checks } = await start(world, { agent, app, parameters: { scope: SCOPE } });
  const { url } = await answer(agent, `/interaction/${uid}/consent`, { scopes });
  const tokens = await app.rp.exchange(url, checks);
  return { agent, identifier, tokens };
};

describe('permissions that the app lets people leave out', () => {
  test('are marked as optional, and others are not', async () => {
    const { agent } = await world.signUp();
    const { uid } = await start(world, { agent, app: await choosy(), parameters: { scope: SCOPE } });
    expect((await world.details(agent, uid)).scopes).toEqual([
      { name: 'openid', granted: false, optional: false },
      { name: 'profile', granted: false, optional: true },
      { name: 'email', granted: false, optional: true },
      { name: 'offline_access', granted: false, optional: false },
    ]);
  });

  test('have the reason that the app gives, in its own words', async () => {
    const { agent } = await world.signUp();
    const app = await choosy({ scope: SCOPE, scope_reasons: { email: 'To tell you when a lamp fails' } });
    const { uid } = await start(world, { agent, app, parameters: { scope: SCOPE } });
    const { scopes } = await world.details(agent, uid);
    expect(scopes.map(({ name, reason }: { name: string; reason?: string }) => [name, reason])).toEqual([
      ['openid', undefined],
      ['profile', undefined],
      ['email', 'To tell you when a lamp fails'],
      ['offline_access', undefined],
    ]);
  });

  test('permissions that would reveal nothing of the account are marked so for the deciding person only', async () => {
    const { agent } = await world.signUp();
    const absentOf = async (parameters: Record<string, string>) => {
      const request = { scope: 'openid email phone', ...parameters };
      const { uid } = await start(world, { agent, app: await choosy(), parameters: request });
      const { scopes } = await world.details(agent, uid);
      return scopes
        .filter(({ absent }: { absent?: true }) => absent)
        .map(({ name }: { name: string }) => name);
    };
    expect(await absentOf({})).toEqual(['phone']);
    for (const prompt of ['login', 'select_account', 'create'])
      expect(await absentOf({ prompt })).toEqual([]);
  });

  test('claims of an omitted permission are in none of the app’s tokens', async () => {
    const app = await choosy();
    const { agent, tokens } = await approveOnly(app, ['openid', 'profile', 'offline_access']);
    expect(tokens.scope).toBe('openid profile');
    const claims = await app.rp.userinfo(tokens.access_token);
    expect(claims).toHaveProperty('nickname');
    expect(claims).not.toHaveProperty('email');
    const refreshed = await app.rp.refresh(tokens.refresh_token ?? '');
    expect(refreshed.scope).toBe('openid profile');
    expect(await app.rp.userinfo(refreshed.access_token)).not.toHaveProperty('email');
    const [approval] = await approvalsOf(agent, app);
    expect(approval?.scopes).toEqual(['openid', 'profile', 'offline_access']);
  });

  test('are not asked about again at each sign-in when left out, and stay ungranted', async () => {
    const app = await choosy();
    const { agent, identifier } = await approveOnly(app, ['openid', 'offline_access']);
    for (const browser of [agent, (await world.signIn(identifier)).agent]) {
      const { url, checks } = await app.rp.authorizationUrl({ scope: SCOPE });
      const arrived = await browser.navigate(url);
      expect(arrived.url.origin).toBe('https://app.example');
      expect((await app.rp.exchange(arrived.url, checks)).scope).toBe('openid');
    }
  });

  test('are asked about again with prompt=consent, and then remembered as granted', async () => {
    const app = await choosy();
    const { agent } = await approveOnly(app, ['openid', 'profile', 'offline_access']);
    const again = await start(world, { agent, app, parameters: { scope: SCOPE, prompt: 'consent' } });
    expect((await world.details(agent, again.uid)).scopes).toContainEqual({
      name: 'email',
      granted: false,
      optional: true,
    });
    const { url } = await answer(agent, `/interaction/${again.uid}/consent`, {});
    expect((await app.rp.exchange(url, again.checks)).scope).toBe(SCOPE);
    const { url: next, checks } = await app.rp.authorizationUrl({ scope: SCOPE });
    expect((await app.rp.exchange((await agent.navigate(next)).url, checks)).scope).toBe(SCOPE);
  });

  test('are asked about again once the app requires them', async () => {
    const app = await choosy();
    const { agent } = await approveOnly(app, ['openid', 'profile', 'offline_access']);
    await world.registerApp({ client_id: app.clientId, client_secret: app.clientSecret });
    await expect
      .poll(
        async () => {
          const { url } = await app.rp.authorizationUrl({ scope: SCOPE });
          return (await agent.navigate(url)).url.pathname;
        },
        { timeout: 60_000, interval: 200 },
      )
      .toBe('/consent');
  });

  test.each([
    ['openid', ['profile', 'email', 'offline_access']],
    ['staying connected', ['openid', 'profile', 'email']],
    ['nothing at all', []],
    ['what was not asked', ['openid', 'profile', 'email', 'offline_access', 'phone']],
  ])('an answer about %s is refused, and the question stays open', async (_, scopes) => {
    const app = await choosy();
    const { agent } = await world.signUp();
    const { uid } = await start(world, { agent, app, parameters: { scope: SCOPE } });
    const refused = await agent.post(`/interaction/${uid}/consent`, { scopes });
    expect([...refusal(refused), refused.json().error.fields]).toEqual([
      400,
      'invalid_request',
      { scopes: 'invalid_request' },
    ]);
    expect(await approvalsOf(agent, app)).toEqual([]);
    expect((await world.details(agent, uid)).prompt).toBe('consent');
  });

  test.each(['openid', 'profile offline_access'])('a client cannot make “%s” optional', async (scopes) => {
    await expect(choosy({ optional_scopes: scopes })).rejects.toThrow(/openid or offline_access/);
  });
});

describe('the app on the consent page', () => {
  test('has links to its policies on https only', async () => {
    const app = await world.registerApp({
      policy_uri: 'https://app.example/privacy',
      tos_uri: 'http://app.example/terms',
    });
    const { agent } = await world.signUp();
    const { uid } = await start(world, { agent, app });
    const { client } = await world.details(agent, uid);
    expect(client.policyUri).toBe('https://app.example/privacy');
    expect(client).not.toHaveProperty('tosUri');
  });

  test('is verified if the brand says so', async () => {
    const { agent } = await world.signUp();
    for (const [metadata, verified] of [
      [{}, false],
      [{ verified: true }, true],
      [{ verified: false }, false],
    ] as const) {
      const { uid } = await start(world, { agent, app: await world.registerApp(metadata) });
      expect((await world.details(agent, uid)).client.verified).toBe(verified);
    }
  });
});

describe('the consent to an API’s scopes', () => {
  test('shows an API’s scopes in the API’s words, after the account’s scopes', async () => {
    const { arrived } = await ask({ scope: 'read openid switch nonsense', resource: [LIGHTS, SCENES] });
    const { scopes } = await world.details(agent, world.interactionOf(arrived.url));
    const fresh = { granted: false, optional: false };
    expect(scopes).toEqual([
      { name: 'openid', ...fresh },
      {
        name: 'read',
        key: `${LIGHTS}#read`,
        ...fresh,
        resource: 'Lights',
        description: { en: 'see your lights', ru: 'видеть ваши лампы' },
      },
      {
        name: 'switch',
        key: `${LIGHTS}#switch`,
        ...fresh,
        resource: 'Lights',
        description: { en: 'switch your lights' },
      },
      { name: 'read', key: `${SCENES}#read`, ...fresh, resource: 'Scenes' },
      { name: 'offline_access', ...fresh },
    ]);
  });

  test('is listed among the authorizations, and withdrawn with them', async () => {
    const { app, exchange } = await approve({ scope: 'openid switch' });
    const tokens = await exchange({ resource: LIGHTS });
    const [approval] = await approvalsOf(agent, app);
    expect(approval).toMatchObject({
      scopes: ['openid', 'switch', 'offline_access'],
      resourceScopes: [{ name: 'switch', resource: 'Lights', description: { en: 'switch your lights' } }],
    });
    await agent.request('DELETE', `/api/authorizations/${approval?.id}`);
    const gone = app.rp.refresh(tokens.refresh_token ?? '', { resource: LIGHTS });
    expect(await errorOf(gone)).toBe('invalid_grant');
  });

  test('is remembered for each API: the same scope of another API is asked about', async () => {
    const person = await world.signUp();
    const { app } = await approve({ browser: person.agent, scope: 'openid read' });
    const elsewhere = (await world.signIn(person.identifier)).agent;
    const again = await ask({ app, browser: elsewhere, scope: 'openid read' });
    expect(again.arrived.url.origin).toBe('https://app.example');
    const tokens = await app.rp.exchange(again.arrived.url, again.checks, { resource: LIGHTS });
    expect(tokens.scope).toBe('read');

    const other = await ask({ app, browser: elsewhere, scope: 'openid read', resource: [SCENES] });
    expect(other.arrived.url.pathname).toBe('/consent');
    const more = await ask({ app, browser: elsewhere, scope: 'openid read switch' });
    const { scopes } = await world.details(elsewhere, world.interactionOf(more.arrived.url));
    expect(scopes.map(({ name, granted }: { name: string; granted: boolean }) => [name, granted])).toEqual([
      ['openid', true],
      ['read', true],
      ['switch', false],
      ['offline_access', true],
    ]);
  });

  test('may leave out optional scopes, and does not ask about them again', async () => {
    const person = await world.signUp();
    const app = await world.registerApp({ optional_scopes: 'switch' });
    const scope = 'openid read switch';
    const { exchange } = await approve(
      { app, browser: person.agent, scope },
      { scopes: ['openid', 'read', 'offline_access'] },
    );
    expect((await exchange({ resource: LIGHTS })).scope).toBe('read');
    const again = await ask({ app, browser: person.agent, scope });
    const tokens = await app.rp.exchange(again.arrived.url, again.checks, { resource: LIGHTS });
    expect(tokens.scope).toBe('read');
    const refreshed = await app.rp.refresh(tokens.refresh_token ?? '', { resource: LIGHTS });
    expect(refreshed.scope).toBe('read');
  });

  test('is given for each API if two APIs have a scope of one name', async () => {
    const person = await world.signUp();
    const app = await world.registerApp({ optional_scopes: 'read' });
    const request = { app, browser: person.agent, scope: 'openid read', resource: [LIGHTS, SCENES] };
    const { exchange } = await approve(request, { scopes: ['openid', 'offline_access', `${LIGHTS}#read`] });
    const tokens = await exchange({ resource: LIGHTS });
    expect(tokens.scope).toBe('read');
    const other = app.rp.refresh(tokens.refresh_token ?? '', { resource: SCENES });
    expect(await errorOf(other)).toBe('invalid_target');
    const again = await ask(request);
    expect(again.arrived.url.origin).toBe('https://app.example');
  });

  test.each([
    ['leaves out what is not optional', ['openid', 'offline_access']],
    ['leaves it out for one of two APIs', ['openid', 'offline_access', `${LIGHTS}#read`]],
    ['names what was not asked', ['openid', 'offline_access', 'read', `${LIGHTS}#switch`]],
  ])('an answer that %s is refused', async (_, scopes) => {
    const { arrived } = await ask({ scope: 'openid read', resource: [LIGHTS, SCENES] });
    const uid = world.interactionOf(arrived.url);
    const refused = await agent.post(`/interaction/${uid}/consent`, { scopes });
    expect(refused.status).toBe(400);
  });

  test('is not asked for by the brand’s own app', async () => {
    const app = await world.registerApp({ first_party: true });
    const { checks, arrived } = await ask({ app });
    const tokens = await app.rp.exchange(arrived.url, checks, { resource: LIGHTS });
    await acceptAccessToken(world, tokens.access_token, LIGHTS);
  });
});
