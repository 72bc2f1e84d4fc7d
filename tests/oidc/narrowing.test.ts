import type { Activity, Authorization } from '@candela/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { acceptAccessToken } from './access-token.ts';
import { approvalsOf, type RegisteredApp, refusal, start } from './authorization.ts';
import { createRequests, errorOf, LIGHTS, METERS, resources, SCENES } from './resources.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.registerResources(resources);
});
afterAll(() => world.close());

const SCOPE = 'openid profile email';
const LEFT = ['openid', 'profile', 'offline_access'];

/** The one approval of the app. */
const approvalOf = async (agent: UserAgent, app: RegisteredApp): Promise<Authorization> => {
  const [approval, ...others] = (await approvalsOf(agent, app)) as Authorization[];
  expect(others).toEqual([]);
  if (!approval) throw new Error('the app has no approval');
  return approval;
};

const narrow = (agent: UserAgent, { id }: Pick<Authorization, 'id'>, scopes: unknown) =>
  agent.patch(`/api/authorizations/${id}`, { scopes });

/** A new person who approved all that the app asks for, of which `profile` and `email` are optional. */
const linkChoosy = async (metadata: Record<string, unknown> = {}, scope = SCOPE) => {
  const { agent, identifier } = await world.signUp();
  const app = await world.registerApp({ optional_scopes: 'profile email', ...metadata });
  const { tokens } = await world.link(agent, app.rp, { scope });
  return { agent, identifier, app, tokens, approval: await approvalOf(agent, app) };
};

/** Where an authorization request stops, and what it asks where that is the consent page. */
const askAgain = async (agent: UserAgent, app: RegisteredApp, scope: string) => {
  const { url, checks } = await app.rp.authorizationUrl({ scope });
  const { url: stop } = await agent.navigate(url);
  if (stop.pathname !== '/consent') return { tokens: await app.rp.exchange(stop, checks) };
  const { scopes } = await world.details(agent, world.interactionOf(stop));
  return {
    asked: scopes.map(({ name, granted }: { name: string; granted: boolean }) => [name, granted]),
  };
};

describe('taking optional scopes away from a link', () => {
  test('leaves the link, and says what is left and what may still be taken', async () => {
    const { agent, app, approval } = await linkChoosy();
    expect(approval.optionalScopes).toEqual(['profile', 'email']);
    const narrowed = await narrow(agent, approval, LEFT);
    expect(narrowed.status, narrowed.body).toBe(200);
    const expected = { ...approval, scopes: LEFT, optionalScopes: ['profile'] };
    expect(narrowed.json()).toEqual(expected);
    expect(await approvalOf(agent, app)).toEqual(expected);
    const none = await narrow(agent, approval, ['openid', 'offline_access']);
    expect(none.json()).not.toHaveProperty('optionalScopes');
  });

  test('OA35: lets the next tokens have less, also where the app repeats its scope', async () => {
    const { agent, app, tokens, approval } = await linkChoosy();
    await narrow(agent, approval, LEFT);
    const next = await app.rp.refresh(tokens.refresh_token ?? '');
    const repeated = await app.rp.refresh(next.refresh_token ?? '', { scope: SCOPE });
    for (const { scope, claims } of [next, repeated]) {
      expect(scope).toBe('openid profile');
      expect(claims()).toHaveProperty('nickname');
      expect(claims()).not.toHaveProperty('email');
    }
    expect((await app.rp.introspect(repeated.refresh_token ?? '')).scope).toBe('openid profile');
    expect(await app.rp.userinfo(repeated.access_token)).not.toHaveProperty('email');
  });

  test('OA35: holds at once for the opaque tokens that are out', async () => {
    const { agent, app, tokens, approval } = await linkChoosy();
    expect(await app.rp.userinfo(tokens.access_token)).toHaveProperty('email');
    await narrow(agent, approval, LEFT);
    expect(await app.rp.userinfo(tokens.access_token)).not.toHaveProperty('email');
    for (const token of [tokens.access_token, tokens.refresh_token ?? ''])
      expect(await app.rp.introspect(token)).toMatchObject({ active: true, scope: 'openid profile' });
  });

  test('holds for a code that is not yet redeemed', async () => {
    const { agent } = await world.signUp();
    const app = await world.registerApp({ optional_scopes: 'email' });
    const { uid, checks } = await start(world, { agent, app, parameters: { scope: SCOPE } });
    const { url } = await world.approve(agent, uid);
    await narrow(agent, await approvalOf(agent, app), ['openid', 'profile']);
    const tokens = await app.rp.exchange(url, checks);
    expect(tokens.scope).toBe('openid profile');
    expect(tokens.claims()).not.toHaveProperty('email');
  });

  test('takes claims along that were asked for by name', async () => {
    const { agent } = await world.signUp();
    const app = await world.registerApp({ optional_scopes: 'email' });
    const claims = JSON.stringify({ userinfo: { email: null, nickname: null } });
    const { tokens } = await world.link(agent, app.rp, { scope: SCOPE, claims });
    await narrow(agent, await approvalOf(agent, app), LEFT);
    const told = await app.rp.userinfo(tokens.access_token);
    expect(told).toHaveProperty('nickname');
    expect(told).not.toHaveProperty('email');
  });

  test('is noted once among what happened, however often it is asked for', async () => {
    const { agent, approval } = await linkChoosy();
    for (const scopes of [LEFT, LEFT, [...LEFT].reverse()])
      expect((await narrow(agent, approval, scopes)).status).toBe(200);
    const { items } = (await agent.get('/api/activity?kind=apps')).json();
    expect(items.map(({ kind, client }: Activity) => [kind, client?.name])).toEqual([
      ['approval_narrowed', 'Example App'],
      ['approval_given', 'Example App'],
    ]);
  });

  test('works for an approval without a refresh token too', async () => {
    const { agent, app, tokens, approval } = await linkChoosy({ grant_types: ['authorization_code'] });
    expect((await narrow(agent, approval, ['openid'])).status).toBe(200);
    expect(Object.keys(await app.rp.userinfo(tokens.access_token))).toEqual(['sub']);
    // The session would go on with the same approval.
    expect((await askAgain(agent, app, SCOPE)).asked).toEqual([
      ['openid', true],
      ['profile', false],
      ['email', false],
    ]);
  });
});

describe('taking away scopes of APIs', () => {
  const ALL = 'openid read switch meter';
  const linkApis = async (metadata: Record<string, unknown>) => {
    const { agent } = await world.signUp();
    const app = await world.registerApp(metadata);
    const { exchange } = await createRequests(world, agent).approve({
      app,
      scope: ALL,
      resource: [LIGHTS, SCENES, METERS],
    });
    return { agent, app, exchange };
  };

  test('a JWT that is out keeps them until it ends, an opaque token has none, and the next ones neither', async () => {
    const { agent, app, exchange } = await linkApis({ optional_scopes: 'switch meter' });
    const first = await exchange({ resource: LIGHTS });
    const meters = await app.rp.refresh(first.refresh_token ?? '', { resource: METERS });
    const approval = await approvalOf(agent, app);
    expect(approval.optionalScopes).toEqual([`${LIGHTS}#switch`, `${METERS}#meter`]);
    const kept = ['openid', 'read', 'offline_access'];
    expect((await narrow(agent, approval, kept)).json().scopes).toEqual(kept);

    const { payload } = await acceptAccessToken(world, first.access_token, LIGHTS);
    expect(payload.scope).toBe('read switch');
    const introspected = await app.rp.introspect(meters.access_token);
    expect([introspected.active, introspected.scope]).toEqual([true, undefined]);
    const next = await app.rp.refresh(meters.refresh_token ?? '', { resource: LIGHTS });
    expect(next.scope).toBe('read');
    expect((await acceptAccessToken(world, next.access_token, LIGHTS)).payload.scope).toBe('read');
    // No token is for an API of which nothing is left; the link goes on.
    const token = next.refresh_token ?? '';
    expect(await errorOf(app.rp.refresh(token, { resource: METERS }))).toBe('invalid_target');
    expect((await app.rp.refresh(token, { resource: LIGHTS })).scope).toBe('read');
  });

  test('a scope of one API goes by its key, where another API has one of the same name', async () => {
    const { agent, app, exchange } = await linkApis({ optional_scopes: 'read' });
    const tokens = await exchange({ resource: LIGHTS });
    const approval = await approvalOf(agent, app);
    expect(approval.resourceScopes?.map(({ key }) => key)).toContain(`${SCENES}#read`);
    const kept = ['openid', 'switch', 'meter', 'offline_access', `${LIGHTS}#read`];
    expect((await narrow(agent, approval, kept)).json().optionalScopes).toEqual([`${LIGHTS}#read`]);
    const token = tokens.refresh_token ?? '';
    expect(await errorOf(app.rp.refresh(token, { resource: SCENES }))).toBe('invalid_target');
    expect((await app.rp.refresh(token, { resource: LIGHTS })).scope).toBe('read switch');
  });
});

describe('what was taken away', () => {
  test('is asked for again, and nothing else is', async () => {
    const { agent, identifier, app, approval } = await linkChoosy();
    await narrow(agent, approval, LEFT);
    for (const browser of [agent, (await world.signIn(identifier)).agent]) {
      expect((await askAgain(browser, app, 'openid profile')).tokens?.scope).toBe('openid profile');
      expect((await askAgain(browser, app, SCOPE)).asked).toEqual([
        ['openid', true],
        ['profile', true],
        ['email', false],
        ['offline_access', true],
      ]);
    }
  });

  test('comes back by an approval of its own, and stays away from the link that lost it', async () => {
    const { agent, app, tokens, approval } = await linkChoosy();
    await narrow(agent, approval, LEFT);
    const again = await world.link(agent, app.rp, { scope: SCOPE });
    expect(again.tokens.scope).toBe(SCOPE);
    expect((await app.rp.refresh(tokens.refresh_token ?? '')).scope).toBe('openid profile');
  });
});

describe('a change is refused, and nothing is lost,', () => {
  test.each([
    ['without a scope that the app needs', 'scope_required', ['profile', 'email', 'offline_access']],
    ['without staying connected', 'scope_required', ['openid', 'profile', 'email']],
    ['without anything', 'scope_required', []],
    ['with more than before', 'scope_not_approved', [...LEFT, 'email', 'phone']],
    ['with what no app has', 'scope_not_approved', [...LEFT, 'email', 'constructor']],
    ['with nothing that is a scope', 'scope_not_approved', [...LEFT, '']],
  ])('%s', async (_, code, scopes) => {
    const { agent, app, approval } = await linkChoosy();
    const refused = await narrow(agent, approval, scopes);
    expect([...refusal(refused), refused.json().error.fields]).toEqual([400, code, { scopes: code }]);
    expect(await approvalOf(agent, app)).toEqual(approval);
  });

  test('where the app calls nothing optional', async () => {
    const { agent, approval } = await linkChoosy({ optional_scopes: undefined });
    expect(approval).not.toHaveProperty('optionalScopes');
    expect(refusal(await narrow(agent, approval, LEFT))).toEqual([400, 'scope_required']);
  });

  test('where nothing would be left: that is a withdrawal', async () => {
    const { agent } = await world.signUp();
    const app = await world.registerApp({ optional_scopes: 'read switch' });
    await createRequests(world, agent).approve({ app, scope: 'read switch' });
    const approval = await approvalOf(agent, app);
    expect(refusal(await narrow(agent, approval, []))).toEqual([400, 'scope_required']);
    expect((await narrow(agent, approval, ['read'])).json().scopes).toEqual(['read']);
  });

  test('for what was taken away before', async () => {
    const { agent, approval } = await linkChoosy();
    await narrow(agent, approval, LEFT);
    expect(refusal(await narrow(agent, approval, [...LEFT, 'email']))).toEqual([400, 'scope_not_approved']);
  });

  test('for the brand’s own app, which people are not asked about', async () => {
    const { agent, approval } = await linkChoosy({ first_party: true });
    expect(approval).not.toHaveProperty('optionalScopes');
    expect(refusal(await narrow(agent, approval, LEFT))).toEqual([400, 'scope_required']);
  });

  test('where it is malformed', async () => {
    const { agent, app, approval } = await linkChoosy();
    const bodies = [
      {},
      { scopes: 'openid' },
      { scopes: [1] },
      { scopes: null },
      { scopes: LEFT, label: 'Hub' },
    ];
    const many = { scopes: Array.from({ length: 201 }, () => 'openid') };
    for (const body of [...bodies, many, { scopes: ['x'.repeat(1_001)] }])
      expect(refusal(await agent.patch(`/api/authorizations/${approval.id}`, body))).toEqual([
        400,
        'invalid_request',
      ]);
    expect(await approvalOf(agent, app)).toEqual(approval);
  });

  test('by anybody but its person', async () => {
    const { agent, app, approval } = await linkChoosy();
    const other = await world.signUp();
    expect(refusal(await narrow(other.agent, approval, LEFT))).toEqual([404, 'not_found']);
    expect(refusal(await narrow(world.browser(), approval, LEFT))).toEqual([401, 'not_signed_in']);
    const abroad = await agent.request('PATCH', `/api/authorizations/${approval.id}`, {
      json: { scopes: LEFT },
      headers: { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' },
    });
    expect(refusal(abroad)).toEqual([403, 'cross_site']);
    expect(await approvalOf(agent, app)).toEqual(approval);
  });
});
