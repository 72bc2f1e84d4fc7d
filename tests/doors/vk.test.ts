import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PlayedVk, startPlayedVk, type VkPerson } from './played-vk.ts';
import { createPlayedWorld, type PlayedWorld } from './played-world.ts';

const CLIENT_ID = '51234567';

let vk: PlayedVk;
let world: PlayedWorld;
beforeAll(async () => {
  world = await createPlayedWorld({
    entries: [{ id: 'vk', kind: 'vk', client_id: CLIENT_ID }],
    play: async (redirectUriOf) => {
      vk = await startPlayedVk({ clientId: CLIENT_ID, redirectUri: redirectUriOf('vk') });
      return [vk];
    },
  });
});
afterAll(() => world.close());

let userId = 1_234_567_890;
let ivan: VkPerson;
beforeEach(() => {
  vk.behave();
  userId += 1;
  ivan = { user_id: String(userId), first_name: 'Иван', last_name: 'И.', email: `ivan${userId}@mail.ru` };
  vk.person(ivan);
});
const go = () => world.go('vk', vk.visit);

describe('the documented flow', () => {
  test('has PKCE with S256 always, and a language', async () => {
    const { to } = await world.leave('vk', world.browser({ language: 'ru' }));
    expect(to.origin + to.pathname).toBe('https://id.vk.com/authorize');
    expect(Object.fromEntries(to.searchParams)).toEqual({
      response_type: 'code',
      client_id: CLIENT_ID,
      redirect_uri: `${world.origin}/sign-in/vk/callback`,
      scope: 'vkid.personal_info email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      lang_id: '0',
    });
  });

  test('the device that came back goes along with the code, and the profile is asked for by POST', async () => {
    const leaving = await world.leave('vk');
    const returned = await vk.visit(leaving.to);
    expect((await world.comeBack(leaving, returned)).reason).toBeUndefined();
    const { form } = vk.askedFor('POST /oauth2/auth').at(-1) ?? {};
    expect(form?.get('device_id')).toBe(returned.url.searchParams.get('device_id'));
    expect(form?.get('client_id')).toBe(CLIENT_ID);
    expect(Object.fromEntries(vk.askedFor('POST /oauth2/user_info').at(-1)?.form ?? [])).toEqual({
      access_token: expect.stringMatching(/^vk2\.a\./),
      client_id: CLIENT_ID,
    });
    expect(await world.whoWaits(leaving)).toMatchObject({
      state: 'new',
      email: ivan.email,
      emailProven: false,
      nickname: 'Иван И.',
    });
    expect(await world.waitingSubjects()).toContain(ivan.user_id);
    await world.agree(leaving);
    expect((await go()).arrival.url.pathname).toBe('/index');
  });

  test('who refuses reads that nobody was signed in', async () => {
    vk.person(undefined);
    expect((await go()).reason).toBe('provider_refused');
  });
});

test('an answer without device_id proves nothing, and is not asked about', async () => {
  const leaving = await world.leave('vk');
  const { url } = await vk.visit(leaving.to);
  url.searchParams.delete('device_id');
  const before = vk.askedFor('POST /oauth2/auth').length;
  expect((await world.comeBack(leaving, { url })).reason).toBe('provider_failed');
  expect(vk.askedFor('POST /oauth2/auth')).toHaveLength(before);
});

test('a code with the device of somebody else is refused', async () => {
  const leaving = await world.leave('vk');
  const { url } = await vk.visit(leaving.to);
  url.searchParams.set('device_id', 'of-somebody-else');
  expect((await world.comeBack(leaving, { url })).reason).toBe('provider_failed');
});

test('a profile of somebody else is nobody', async () => {
  vk.misbehaveAt('POST /oauth2/user_info', () => ({ body: { user: { ...ivan, user_id: '1' } } }));
  expect((await go()).reason).toBe('provider_failed');
});

test('an account without an e-mail address and without a name signs in', async () => {
  vk.person({ user_id: ivan.user_id, first_name: '', last_name: '' });
  const came = await go();
  expect(came.reason).toBeUndefined();
  const waits = await world.whoWaits(came);
  expect(waits).not.toHaveProperty('email');
  expect(waits).not.toHaveProperty('nickname');
});

const invalid = { error: 'invalid_grant', error_description: 'code is invalid' };
test.each([
  ['refuses', { status: 400, body: invalid }, 'provider_failed'],
  ['refuses with 200', { status: 200, body: invalid }, 'provider_failed'],
  ['asks to slow down', { status: 429, body: { error: 'slow_down' } }, 'provider_unavailable'],
  ['answers 500', { status: 500, body: { error: 'server_error' } }, 'provider_unavailable'],
  ['shows a page', { type: 'text/html', body: '<h1>Ой</h1>' }, 'provider_unavailable'],
  ['names no user', { body: { access_token: 'a', token_type: 'Bearer' } }, 'provider_failed'],
])('where the token endpoint %s, people read what happened', async (_, reply, reason) => {
  vk.misbehaveAt('POST /oauth2/auth', () => reply);
  expect((await go()).reason).toBe(reason);
});
