import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPlayedWorld, type PlayedWorld } from './played-world.ts';
import { type PlayedYandex, startPlayedYandex, type YandexPerson } from './played-yandex.ts';

const app = { clientId: '0123456789abcdef0123456789abcdef', clientSecret: 'fedcba9876543210' };

let yandex: PlayedYandex;
let world: PlayedWorld;
beforeAll(async () => {
  world = await createPlayedWorld({
    entries: [{ id: 'yandex', kind: 'yandex', client_id: app.clientId, client_secret: app.clientSecret }],
    play: async (redirectUriOf) => {
      yandex = await startPlayedYandex({ ...app, redirectUri: redirectUriOf('yandex') });
      return [yandex];
    },
  });
});
afterAll(() => world.close());

let id = 1_000_034_426;
let olga: YandexPerson;
beforeEach(() => {
  yandex.behave();
  id += 1;
  const name = `olga${id}`;
  olga = {
    id: String(id),
    login: name,
    psuid: `1.AAA.${id}`,
    default_email: `${name}@yandex.ru`,
    real_name: 'Ольга',
  };
  yandex.person(olga);
});
const go = () => world.go('yandex', yandex.visit);

describe('the documented flow', () => {
  test('has PKCE with S256, and force_confirm where the sign-in has to be new', async () => {
    const { to } = await world.leave('yandex');
    expect(to.origin + to.pathname).toBe('https://oauth.yandex.ru/authorize');
    const parameters = {
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: `${world.origin}/sign-in/yandex/callback`,
      scope: 'login:info login:email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    };
    expect(Object.fromEntries(to.searchParams)).toEqual(parameters);

    const { rp } = await world.registerApp();
    const agent = world.browser();
    const { url } = await agent.navigate((await rp.authorizationUrl({ prompt: 'login' })).url);
    const anew = await agent.get(`/interaction/${world.interactionOf(url)}/provider/yandex`);
    const asked = new URL(String(anew.headers.location)).searchParams;
    expect(Object.fromEntries(asked)).toEqual({ ...parameters, force_confirm: 'yes' });
  });

  test('the profile comes from its own address, with the token in a header', async () => {
    const came = await go();
    expect(came.reason).toBeUndefined();
    const { headers, query } = yandex.askedFor('GET /info').at(-1) ?? {};
    expect(headers?.authorization).toMatch(/^OAuth y0_/);
    expect(Object.fromEntries(query ?? [])).toEqual({ format: 'json' });
    expect(await world.whoWaits(came)).toMatchObject({
      state: 'new',
      email: olga.default_email,
      emailProven: false,
      nickname: 'Ольга',
    });
    expect(await world.waitingSubjects()).toContain(olga.id);
    await world.agree(came);
    expect((await go()).arrival.url.pathname).toBe('/index');
  });

  test('who refuses reads that nobody was signed in', async () => {
    yandex.person(undefined);
    expect((await go()).reason).toBe('provider_refused');
  });
});

test.each([
  ['of a token of another app', { client_id: 'another-app' }],
  ['without an id', { id: undefined }],
  ['with an empty id', { id: '' }],
  ['with a number for an id', { id: 1 }],
])('a profile %s is nobody', async (_, changed) => {
  yandex.misbehaveAt('GET /info', () => ({ body: { ...olga, client_id: app.clientId, ...changed } }));
  expect((await go()).reason).toBe('provider_failed');
});

test.each([
  ['POST /token', 'refuses', { status: 400, body: { error: 'invalid_grant' } }, 'provider_failed'],
  ['POST /token', 'answers 500', { status: 500, body: '' }, 'provider_unavailable'],
  ['POST /token', 'shows a page', { type: 'text/html', body: '<h1>Ой</h1>' }, 'provider_unavailable'],
  ['GET /info', 'shows a page', { type: 'text/html', body: '<h1>Ой</h1>' }, 'provider_unavailable'],
  ['GET /info', 'sends 10 MB', { body: 'x'.repeat(10_000_000) }, 'provider_unavailable'],
  ['GET /info', 'answers 500', { status: 500, body: '' }, 'provider_unavailable'],
])('where %s %s, people read what happened', async (name, _, reply, reason) => {
  yandex.misbehaveAt(name, () => reply);
  expect((await go()).reason).toBe(reason);
});
