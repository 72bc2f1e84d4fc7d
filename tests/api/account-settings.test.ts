import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { refusal } from '../oidc/authorization.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { snapshot } from './routes.ts';
import { patchAccount, readAccount } from './settings.ts';

let world: World;
let shiftSeconds = 0;
beforeAll(async () => {
  world = await createWorld({ now: () => new Date(Date.now() + shiftSeconds * 1000) });
});
afterAll(() => world.close());
// The engine dates sign-ins by its own clock.
beforeEach(() => {
  shiftSeconds = 0;
});

test('an allowed developer is told so, and nobody else', async () => {
  const { agent, identifier } = await world.signUp();
  const before = await readAccount(agent);
  expect(before).not.toHaveProperty('developer');
  await world.developers.allow(identifier);
  expect(await readAccount(agent)).toEqual({ ...before, developer: true });
  const renamed = await patchAccount(agent, { nickname: 'Ada' });
  expect(renamed.json()).toEqual({ ...before, nickname: 'Ada', developer: true });
  await world.developers.revoke(identifier);
  expect(await readAccount(agent)).toEqual({ ...before, nickname: 'Ada' });
});

describe('nickname and language', () => {
  test('each is changed alone or with the other, and apps see it with a new updated_at', async () => {
    const { agent } = await world.signUp();
    const before = await readAccount(agent);
    const app = await world.registerApp();
    const { tokens } = await world.link(agent, app.rp);
    const told = () => app.rp.userinfo(tokens.access_token, before.id);
    const { updated_at: created = 0 } = await told();
    shiftSeconds = 5;
    const renamed = await patchAccount(agent, { nickname: '  Ада 👩‍💻 ' });
    expect([renamed.status, renamed.json()]).toEqual([200, { ...before, nickname: 'Ада 👩‍💻' }]);
    const claims = await told();
    expect(claims.nickname).toBe('Ада 👩‍💻');
    expect(claims.updated_at).toBeGreaterThan(created);
    const moved = await patchAccount(agent, { locale: 'zh-Hant' });
    expect(moved.json()).toEqual({ ...renamed.json(), locale: 'zh-Hant' });
    const both = await patchAccount(agent, { nickname: 'Ada', locale: 'ru' });
    expect(both.json()).toEqual({ ...before, nickname: 'Ada', locale: 'ru' });
    expect(await readAccount(agent)).toEqual(both.json());
    expect(await told()).toMatchObject({ nickname: 'Ada', locale: 'ru' });
  });

  describe('the language of an account', () => {
    const langOf = (answer: Answer | undefined) => /<html lang="([^"]+)"/.exec(answer?.body ?? '')?.[1];
    const choose = (agent: UserAgent, locale: string) =>
      agent.jar.setCookie(`locale=${locale}; Path=/`, world.origin);
    const speakRussian = async () => {
      const { agent, identifier } = await world.signUp();
      expect((await patchAccount(agent, { locale: 'ru' })).status).toBe(200);
      return { agent, identifier };
    };

    test('is the language of its pages in every browser, except where the person chose another', async () => {
      const { identifier } = await speakRussian();
      const { rp } = await world.registerApp();
      const { agent } = await world.signIn(identifier);
      const consent = await agent.navigate((await rp.authorizationUrl()).url);
      const uid = world.interactionOf(consent.url);
      const quick = await agent.navigate('/login');
      const pages = async () => {
        const paths = ['/index', '/sessions', consent.url.href, quick.url.href, '/license', '/oauth/logout'];
        const answers = await Promise.all(paths.map((path) => agent.get(path)));
        return [...answers.map(langOf), (await world.details(agent, uid)).locale];
      };
      expect(new Set(await pages())).toEqual(new Set(['ru']));
      // The language of a listed session is the browser’s.
      expect((await agent.get('/api/sessions')).json().items[0].locale).toBe('en');
      await choose(agent, 'zh-Hans');
      expect(new Set(await pages())).toEqual(new Set(['zh-Hans']));
    });

    test('does not apply to a browser that is signed out', async () => {
      const { agent } = await speakRussian();
      await agent.post('/api/sign-out', {});
      expect(langOf((await agent.navigate('/login')).answer)).toBe('en');
    });

    test('gives way to the ui_locales of an app', async () => {
      const { agent } = await speakRussian();
      const { rp } = await world.registerApp();
      const { url } = await agent.navigate((await rp.authorizationUrl({ ui_locales: 'zh-TW' })).url);
      expect((await world.details(agent, world.interactionOf(url))).locale).toBe('zh-Hant');
    });

    test.each(['login', 'recover', 'register'])(
      'is that of a code to %s; the answer does not tell that there is an account',
      async (purpose) => {
        const { identifier } = await speakRussian();
        const stranger = `nobody-${purpose}@example.com`;
        const ask = async (agent: UserAgent, to: string) => {
          const { status, headers, body } = await agent.post('/api/codes', { identifier: to, purpose });
          const { date: _, 'x-request-id': __, 'set-cookie': ___, ...rest } = headers;
          return { status, headers: rest, body: body.replaceAll(/\d\d:\d\d\.\d{3}Z/g, '') };
        };
        expect(await ask(world.browser(), identifier)).toEqual(await ask(world.browser(), stranger));
        expect(await world.lastMessageTo(identifier)).toMatchObject({ locale: 'ru', purpose });
        if (purpose !== 'recover') {
          expect(await world.lastMessageTo(stranger)).toMatchObject({ locale: 'en', purpose });
        }
        const chosen = world.browser();
        await choose(chosen, 'zh-Hant');
        await ask(chosen, identifier);
        expect(await world.lastMessageTo(identifier)).toMatchObject({ locale: 'zh-Hant', purpose });
      },
    );

    test('is the language of codes sent in its session, also to identifiers of other people', async () => {
      const { agent, identifier } = await speakRussian();
      const other = await world.signUp();
      await world.receiveCode(agent, identifier, 'step-up');
      expect(await world.lastMessageTo(identifier)).toMatchObject({ locale: 'ru', purpose: 'step-up' });
      await world.receiveCode(agent, other.identifier, 'bind');
      expect(await world.lastMessageTo(other.identifier)).toMatchObject({ locale: 'ru', purpose: 'bind' });
    });
  });

  test('an empty change changes nothing', async () => {
    const { agent } = await world.signUp();
    const account = await readAccount(agent);
    const before = await snapshot(world);
    shiftSeconds = 5;
    for (const same of [{}, { nickname: account.nickname, locale: account.locale }]) {
      const answer = await patchAccount(agent, same);
      expect([answer.status, answer.json()]).toEqual([200, account]);
    }
    expect(await snapshot(world)).toEqual(before);
  });

  test('PL5: a nickname that is blank, too long, or hides something is refused', async () => {
    const { agent } = await world.signUp();
    const before = await snapshot(world);
    for (const nickname of [
      '',
      '   ',
      'x'.repeat(41),
      'x'.repeat(2000),
      'a\u202eb',
      'a\u200bb',
      'a\u2066b',
    ]) {
      const refused = await patchAccount(agent, { nickname, locale: 'ru' });
      expect([nickname, ...refusal(refused)]).toEqual([nickname, 400, 'nickname_invalid']);
      expect(refused.json().error.fields).toEqual({ nickname: 'nickname_invalid' });
    }
    expect(await snapshot(world)).toEqual(before);
    const family = '👩‍👩‍👧‍👦'.repeat(18);
    expect((await patchAccount(agent, { nickname: family })).json().nickname).toBe(family);
  });

  test('SE13: no other field of the account can be set', async () => {
    const { agent } = await world.signUp();
    const before = await snapshot(world);
    for (const raw of [
      '{"id":"x"}',
      '{"sub":"x"}',
      '{"nickname":"Eve","phone":"+8613800138000"}',
      '{"nickname":"Eve","email":"eve@example.com"}',
      '{"nickname":"Eve","phone_verified":true}',
      '{"nickname":"Eve","role":"admin"}',
      '{"nickname":"Eve","status":"active"}',
      '{"nickname":"Eve","created_at":"2020-01-01T00:00:00Z"}',
      '{"nickname":"Eve","updated_at":"2020-01-01T00:00:00Z"}',
      '{"nickname":"Eve","session_epoch":7}',
      '{"nickname":"Eve","avatar":"/x"}',
      '{"nickname":"Eve","hasPassword":false}',
      '{"nickname":"Eve","__proto__":{"role":"admin"}}',
      '{"nickname":"Eve","constructor":{"prototype":{"role":"admin"}}}',
      '{"nickname":{"toString":"Eve"}}',
      '{"nickname":null}',
      '{"locale":"xx"}',
      '{"locale":"EN"}',
    ]) {
      const headers = { 'content-type': 'application/json' };
      const refused = await agent.request('PATCH', '/api/account', { raw, headers });
      expect([raw, refused.status]).toEqual([raw, 400]);
    }
    expect(await snapshot(world)).toEqual(before);
  });

  test('nobody without a session changes anything', async () => {
    expect(refusal(await patchAccount(world.browser(), { nickname: 'Eve' }))).toEqual([401, 'not_signed_in']);
  });
});
