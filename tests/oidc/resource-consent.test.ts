import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { acceptAccessToken } from './access-token.ts';
import { approvalsOf, isActive } from './authorization.ts';
import { createRequests, errorOf, LIGHTS, METERS, resources, SCENES } from './resources.ts';

let world: World;
let agent: UserAgent;
let requests: ReturnType<typeof createRequests>;
beforeAll(async () => {
  world = await createWorld();
  await world.registerResources(resources);
  ({ agent } = await world.signUp());
  requests = createRequests(world, agent);
});
afterAll(() => world.close());

const ask: typeof requests.ask = (request) => requests.ask(request);
const approve: typeof requests.approve = (request, body) => requests.approve(request, body);

describe('what people decide', () => {
  test('an API’s scopes are told in its words, after the account’s', async () => {
    const { arrived } = await ask({ scope: 'read openid switch nonsense', resource: [LIGHTS, SCENES] });
    const { scopes } = await world.details(agent, world.interactionOf(arrived.url));
    const fresh = { granted: false, optional: false };
    expect(scopes).toEqual([
      { name: 'openid', ...fresh },
      {
        name: 'read',
        ...fresh,
        resource: 'Lights',
        description: { en: 'see your lights', ru: 'видеть ваши лампы' },
      },
      { name: 'switch', ...fresh, resource: 'Lights', description: { en: 'switch your lights' } },
      { name: 'read', ...fresh, resource: 'Scenes' },
      { name: 'offline_access', ...fresh },
    ]);
  });

  test('is listed among the authorizations, and gone with them', async () => {
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

  test('is remembered by API: the same is not asked again, the like of another API is', async () => {
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

  test('may leave out what the app allows, and is not asked for it again', async () => {
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

  test('must not leave out anything else', async () => {
    const { arrived } = await ask({ scope: 'openid read' });
    const uid = world.interactionOf(arrived.url);
    const refused = await agent.post(`/interaction/${uid}/consent`, { scopes: ['openid', 'offline_access'] });
    expect(refused.status).toBe(400);
  });

  test('is not asked where the brand’s own app asks', async () => {
    const app = await world.registerApp({ first_party: true });
    const { checks, arrived } = await ask({ app });
    const tokens = await app.rp.exchange(arrived.url, checks, { resource: LIGHTS });
    await acceptAccessToken(world, tokens.access_token, LIGHTS);
  });
});

describe('the scope of a client’s metadata', () => {
  test('bounds what it can ask of an API', async () => {
    const app = await world.registerApp({ scope: 'openid read' });
    const { exchange } = await approve({ app, scope: 'openid read switch' });
    expect((await exchange({ resource: LIGHTS })).scope).toBe('read');
  });

  test('bounds what it can ask of the account, also where it names an API’s scopes alone', async () => {
    const app = await world.registerApp({ scope: 'read' });
    const { arrived } = await ask({ app, scope: 'openid profile read' });
    expect(arrived.url.searchParams.get('error')).toBe('invalid_scope');
  });
});

describe('an API that is a client itself', () => {
  test('introspects the tokens meant for it, and no others', async () => {
    const api = await world.registerApp({ resource_server: METERS });
    const stranger = await world.registerApp({ resource_server: LIGHTS });
    const { app, exchange } = await approve({ scope: 'openid meter', resource: [METERS] });
    const tokens = await exchange({ resource: METERS });
    expect(await api.rp.introspect(tokens.access_token)).toMatchObject({
      active: true,
      client_id: app.clientId,
      aud: METERS,
      scope: 'meter',
    });
    expect(await isActive(stranger, tokens.access_token)).toBe(false);
    expect(await isActive(api, tokens.refresh_token)).toBe(false);
    const { access_token: ofAccount } = await app.rp.refresh(tokens.refresh_token ?? '');
    expect(await isActive(api, ofAccount)).toBe(false);
    await api.rp.revoke(tokens.access_token);
    expect(await isActive(app, tokens.access_token)).toBe(true);
  });
});
