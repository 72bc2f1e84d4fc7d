import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf } from '../support/token.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';
import { bootOf, refusal, start } from './authorization.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const wayBack = { name: 'Example App', uri: 'https://app.example/' };
const expired = [410, 'interaction_expired'];

const expire = (uid: string) =>
  world.db
    .updateTable('interaction')
    .set({ expires_at: sql`now() - interval '1 minute'` })
    .where('id_hash', '=', hashOf(uid))
    .execute();

const open = (agent: ReturnType<World['browser']>, uid: string) => agent.navigate(`/interaction/${uid}`);

describe('an interaction opened in another browser', () => {
  test('gets a page that explains this and leads back to the app', async () => {
    const { uid } = await start(world, { agent: world.browser() });
    const page = await open(world.browser(), uid);
    expect(page.answer?.status).toBe(410);
    expect(bootOf(page).error).toMatchObject({
      code: 'interaction_elsewhere',
      status: 410,
      startAgain: wayBack,
    });
    expect(bootOf(page).error.requestId).toBe(page.answer?.headers['x-request-id']);
    expect(page.answer?.body).toContain(`href="${wayBack.uri}"`);
  });

  test('reveals and does nothing there, and continues here', async () => {
    const { identifier } = await world.signUp();
    const agent = world.browser();
    const { uid } = await start(world, { agent });
    const { agent: other } = await world.signUp();
    const paths = ['login', 'continue', 'register', 'consent', 'switch-account', 'abort', 'verify'];
    expect(refusal(await other.get(`/interaction/${uid}/details`))).toEqual(expired);
    expect(
      refusal(await other.post(`/interaction/${uid}/login`, { identifier, password: PASSWORD })),
    ).toEqual(expired);
    for (const path of paths) {
      const body = path === 'consent' ? {} : undefined;
      expect((await other.post(`/interaction/${uid}/${path}`, body)).status).toBeGreaterThanOrEqual(400);
    }
    expect((await world.login(agent, uid, identifier)).url.pathname).toBe('/consent');
  });

  test('a sign-in not resumed before all sessions end leads back to the sign-in of the same request', async () => {
    const { identifier } = await world.signUp();
    const agent = world.browser();
    const { uid, checks, app } = await start(world, { agent });
    const accepted = await agent.post(`/interaction/${uid}/login`, { identifier, password: PASSWORD });
    const { agent: owner } = await world.signIn(identifier);
    expect((await owner.delete('/api/sessions?except=current')).status).toBe(204);
    const led = await agent.navigate(accepted.json().returnTo);
    expect([led.url.pathname, world.interactionOf(led.url)]).toEqual(['/login', uid]);

    const consent = await world.login(agent, uid, identifier);
    const { url } = await world.approve(agent, world.interactionOf(consent.url));
    expect(await app.rp.exchange(url, checks)).toMatchObject({ id_token: expect.any(String) });
  });

  test('cannot resume with an answer there, and still resumes here', async () => {
    const { identifier } = await world.signUp();
    const agent = world.browser();
    const { uid } = await start(world, { agent });
    const accepted = await agent.post(`/interaction/${uid}/login`, { identifier, password: PASSWORD });
    const { agent: thief } = await world.signUp();
    const page = await thief.navigate(accepted.json().returnTo);
    expect(page.answer?.status).toBe(410);
    expect(bootOf(page).error.startAgain).toEqual(wayBack);
    expect((await thief.get('/api/account')).json().email).not.toBe(identifier);
    expect((await agent.navigate(accepted.json().returnTo)).url.pathname).toBe('/consent');
  });

  test('leads back to the origin of the redirect URI if the app has no address', async () => {
    const app = await world.registerApp({ client_uri: undefined });
    const { uid } = await start(world, { agent: world.browser(), app });
    const page = await open(world.browser(), uid);
    expect(bootOf(page).error.startAgain).toEqual({ name: 'Example App', uri: 'https://app.example' });
  });
});

describe('an interaction that has expired', () => {
  test('is 410 for the page and for every answer, with a link to the app', async () => {
    const { agent, identifier } = await world.signUp();
    const { uid } = await start(world, { agent, parameters: { prompt: 'login' } });
    await expire(uid);
    const page = await open(agent, uid);
    expect(page.answer?.status).toBe(410);
    expect(bootOf(page).error).toMatchObject({ code: 'interaction_expired', startAgain: wayBack });
    expect(refusal(await agent.get(`/interaction/${uid}/details`))).toEqual(expired);
    expect(
      refusal(await agent.post(`/interaction/${uid}/login`, { identifier, password: PASSWORD })),
    ).toEqual(expired);
    expect(refusal(await agent.post(`/interaction/${uid}/abort`))).toEqual(expired);
    expect(refusal(await agent.post(`/interaction/${uid}/switch-account`))).toEqual(expired);
  });

  test('does not resume with an answer given in time', async () => {
    const { agent, identifier } = await world.signUp();
    const { uid } = await start(world, { agent, parameters: { prompt: 'login' } });
    const accepted = await agent.post(`/interaction/${uid}/login`, { identifier, password: PASSWORD });
    await expire(uid);
    const page = await agent.navigate(accepted.json().returnTo);
    expect(page.answer?.status).toBe(410);
    expect(bootOf(page).error).toMatchObject({ code: 'interaction_expired', startAgain: wayBack });
  });

  test('leads back to the portal if the portal began it', async () => {
    const agent = world.browser();
    const { url } = await agent.navigate('/index');
    const uid = world.interactionOf(url);
    await expire(uid);
    const page = await open(agent, uid);
    expect(bootOf(page).error).toMatchObject({
      code: 'interaction_expired',
      startAgain: { name: 'Aurelia', uri: `${world.origin}/index` },
    });
  });

  test('that never existed is 410 without a way back', async () => {
    const page = await open(world.browser(), 'v'.repeat(43));
    expect(page.answer?.status).toBe(410);
    expect(bootOf(page).error).toMatchObject({ code: 'interaction_expired' });
    expect(bootOf(page).error).not.toHaveProperty('startAgain');
  });
});

describe('an interaction that is finished', () => {
  test('cannot be answered twice, and its page leads on to where the answer leads', async () => {
    const { agent, identifier } = await world.signUp();
    const { uid } = await start(world, { agent, parameters: { prompt: 'login' } });
    const login = { identifier, password: PASSWORD };
    const accepted = await agent.post(`/interaction/${uid}/login`, login);
    expect(accepted.status).toBe(200);
    expect(refusal(await agent.post(`/interaction/${uid}/login`, login))).toEqual(expired);
    expect(refusal(await agent.post(`/interaction/${uid}/abort`))).toEqual(expired);
    expect((await open(agent, uid)).url.pathname).toBe('/consent');
  });

  test('cannot be answered twice at once either', async () => {
    const { agent } = await world.signUp();
    const { uid, checks, app } = await start(world, { agent });
    const both = await Promise.all([
      agent.post(`/interaction/${uid}/consent`, {}),
      agent.post(`/interaction/${uid}/consent`, {}),
      agent.post(`/interaction/${uid}/abort`),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
    const grants = await world.db
      .selectFrom('authorization_grant')
      .select('id')
      .where('client_id', '=', app.clientId)
      .execute();
    const approved = both[0]?.status === 200 || both[1]?.status === 200;
    expect(grants).toHaveLength(approved ? 1 : 0);
    const { url } = await open(agent, uid);
    expect(url.searchParams.get('state')).toBe(checks.expectedState);
  });

  test('a consent cannot be replayed, and the back button stays on the page', async () => {
    const { agent } = await world.signUp();
    const { uid, app } = await start(world, { agent });
    const accepted = await agent.post(`/interaction/${uid}/consent`, {});
    const { returnTo } = accepted.json();
    const callback = await agent.navigate(returnTo);
    expect(callback.url.searchParams.has('code')).toBe(true);
    expect(refusal(await agent.post(`/interaction/${uid}/consent`, {}))).toEqual(expired);
    const { items } = (await agent.get('/api/authorizations')).json();
    expect(items.filter((item: { client: { id: string } }) => item.client.id === app.clientId)).toHaveLength(
      1,
    );
    for (const page of [await open(agent, uid), await agent.navigate(returnTo)]) {
      expect(page.answer?.status).toBe(410);
      expect(bootOf(page).error).toMatchObject({ code: 'interaction_finished', startAgain: wayBack });
    }
  });
});

describe('a consent is bound to the person who was asked', () => {
  test('another person who signs in meanwhile cannot approve it', async () => {
    const { agent } = await world.signUp();
    const { identifier: other } = await world.signUp();
    const { uid, app } = await start(world, { agent });
    const login = await agent.navigate('/sign-in?prompt=login');
    await world.login(agent, world.interactionOf(login.url), other);
    expect((await agent.get('/api/account')).json().email).toBe(other);

    expect(refusal(await agent.post(`/interaction/${uid}/consent`, {}))).toEqual(expired);
    const rows = await world.db
      .selectFrom('authorization_grant')
      .select('id')
      .where('client_id', '=', app.clientId)
      .execute();
    expect(rows).toEqual([]);
  });

  test('cannot be given after signing out', async () => {
    const { agent } = await world.signUp();
    const { uid } = await start(world, { agent });
    await agent.post('/api/sign-out');
    expect(refusal(await agent.post(`/interaction/${uid}/consent`, {}))).toEqual(expired);
  });

  test('cannot be resumed after signing out', async () => {
    const { agent } = await world.signUp();
    const { uid } = await start(world, { agent });
    const accepted = await agent.post(`/interaction/${uid}/consent`, {});
    await agent.post('/api/sign-out');
    const page = await agent.navigate(accepted.json().returnTo);
    expect(page.answer?.status).toBe(410);
    expect(bootOf(page).error).toMatchObject({ code: 'interaction_expired', startAgain: wayBack });
  });

  test('is refused with scopes that were not requested, or too few of them', async () => {
    const { agent } = await world.signUp();
    const { uid } = await start(world, { agent });
    for (const scopes of [['openid', 'profile', 'offline_access', 'phone'], ['openid'], []]) {
      const refused = await agent.post(`/interaction/${uid}/consent`, { scopes });
      expect(refusal(refused)).toEqual([400, 'invalid_request']);
      expect(refused.json().error.fields).toEqual({ scopes: 'invalid_request' });
    }
  });
});
