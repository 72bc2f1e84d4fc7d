import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { approvalsOf, isActive, refusal, start } from '../oidc/authorization.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';
import { snapshot } from './routes.ts';
import { bind, nextPhone, patchAccount, putPassword, readAccount } from './settings.ts';

const NEW_PASSWORD = 'starlight88';

describe('a new password', () => {
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

  const tryPassword = async (identifier: string, password: string) => {
    const agent = world.browser();
    const { uid } = await start(world, { agent });
    return (await agent.post(`/interaction/${uid}/login`, { identifier, password })).status;
  };

  test('signs in from then on, and the old password does not', async () => {
    const { agent, identifier } = await world.signUp();
    const before = await readAccount(agent);
    shiftSeconds = 5;
    const set = await putPassword(agent, NEW_PASSWORD);
    expect([set.status, set.body]).toEqual([204, '']);
    const after = await readAccount(agent);
    expect(after).toEqual({ ...before, passwordChangedAt: expect.any(String) });
    expect(Date.parse(after.passwordChangedAt)).toBeGreaterThan(Date.parse(before.passwordChangedAt));
    expect(await tryPassword(identifier, PASSWORD)).toBe(401);
    expect(await tryPassword(identifier, NEW_PASSWORD)).toBe(200);
  });

  test('can be the first one of an account', async () => {
    const { agent, identifier } = await world.signUp();
    const owned = world.db.selectFrom('account_identifier').where('value', '=', identifier);
    await world.db.deleteFrom('password').where('account_id', '=', owned.select('account_id')).execute();
    expect(await readAccount(agent)).toMatchObject({ hasPassword: false });
    expect((await putPassword(agent, NEW_PASSWORD)).status).toBe(204);
    expect(await readAccount(agent)).toMatchObject({ hasPassword: true });
    expect(await tryPassword(identifier, NEW_PASSWORD)).toBe(200);
  });

  test('PW6: this session stays, the other sessions end with their tokens, and links stay', async () => {
    const { agent, identifier } = await world.signUp();
    const { agent: other } = await world.signIn(identifier);
    const bound = await world.registerApp({ grant_types: ['authorization_code'] });
    const hub = await world.registerApp();
    const { tokens: ended } = await world.link(other, bound.rp);
    const { tokens: kept } = await world.link(other, hub.rp);
    const { tokens: own } = await world.link(agent, bound.rp);

    expect((await putPassword(agent, NEW_PASSWORD)).status).toBe(204);

    expect((await other.get('/api/account')).status).toBe(401);
    expect(await isActive(bound, ended.access_token)).toBe(false);
    expect(await isActive(hub, kept.access_token)).toBe(true);
    expect((await hub.rp.refresh(kept.refresh_token ?? '')).access_token).toEqual(expect.any(String));
    expect(await isActive(bound, own.access_token)).toBe(true);
    const { items } = (await agent.get('/api/sessions')).json();
    expect(items).toMatchObject([{ current: true }]);
    // The session also continues in the protocol: an authorization request asks for nothing.
    expect((await world.link(agent, bound.rp)).tokens.access_token).toEqual(expect.any(String));
    expect((await world.link(agent, hub.rp)).tokens.refresh_token).toEqual(expect.any(String));
  });

  test('PW6: withdraws all authorizations on request', async () => {
    const { agent } = await world.signUp();
    const hub = await world.registerApp();
    const { tokens } = await world.link(agent, hub.rp);
    expect((await putPassword(agent, NEW_PASSWORD, { withdrawAuthorizations: true })).status).toBe(204);
    expect(await isActive(hub, tokens.access_token)).toBe(false);
    await expect(hub.rp.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect(await approvalsOf(agent)).toEqual([]);
    const asked = await start(world, { agent, app: hub });
    expect(asked.path).toBe('/consent');
  });

  test('PW12: a sign-in begun with the old password makes no session, and codes requested before open nothing', async () => {
    const { agent, identifier } = await world.signUp();
    const begun = world.browser();
    const uid = world.interactionOf((await begun.navigate('/login')).url);
    const answered = await begun.post(`/interaction/${uid}/login`, { identifier, password: PASSWORD });
    const holder = world.browser();
    const code = await world.receiveCode(holder, identifier, 'recover');
    expect((await putPassword(agent, NEW_PASSWORD)).status).toBe(204);
    expect((await begun.navigate(answered.json().returnTo)).url.pathname).toBe('/login');
    expect((await begun.get('/api/account')).status).toBe(401);
    const recovered = await holder.post('/api/recovery/verify', { identifier, code });
    expect(refusal(recovered)).toEqual([401, 'code_incorrect']);
  });

  test('PW13: every contact gets a notice, in the person’s language', async () => {
    const { agent, identifier } = await world.signUp();
    const phone = nextPhone();
    await bind(world, agent, 'phone', phone);
    await patchAccount(agent, { locale: 'zh-Hans' });
    expect((await putPassword(agent, NEW_PASSWORD)).status).toBe(204);
    const notice = { purpose: 'password_changed', locale: 'zh-Hans' };
    expect(await world.lastMessageTo(phone)).toMatchObject({ ...notice, channel: 'sms' });
    expect(await world.lastMessageTo(identifier)).toMatchObject({ ...notice, channel: 'email' });
  });

  test.each([
    ['password_blank', ''],
    ['password_too_short', 'abc12'],
    ['password_too_long', `a1${'b'.repeat(200)}`],
    ['password_has_symbols', 'star-light-88'],
    ['password_too_common', 'password123'],
  ])('PW2: refused with %s changes nothing', async (code, password) => {
    const { agent, identifier } = await world.signUp();
    const before = await snapshot(world);
    const refused = await putPassword(agent, password);
    expect([refused.status, refused.json().error]).toMatchObject([400, { code, fields: { password: code } }]);
    expect(await snapshot(world)).toEqual(before);
    expect(await tryPassword(identifier, PASSWORD)).toBe(200);
  });

  test('must not be one of the account’s identifiers', async () => {
    const { agent } = await world.signUp('lampfan@example.com');
    const phone = nextPhone();
    await bind(world, agent, 'phone', phone);
    for (const password of ['lampfan', 'Lampfan2026', phone.slice(1)]) {
      expect(refusal(await putPassword(agent, password))).toEqual([400, 'password_too_common']);
    }
  });

  test('of two browsers that set a password at once, one stays signed in', async () => {
    const { agent, identifier } = await world.signUp();
    const { agent: other } = await world.signIn(identifier);
    const answers = await Promise.all([putPassword(agent, 'starlight89'), putPassword(other, 'starlight90')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
    const won = answers[0]?.status === 204;
    expect((await (won ? agent : other).get('/api/account')).status).toBe(200);
    expect(await tryPassword(identifier, won ? 'starlight89' : 'starlight90')).toBe(200);
    expect(await tryPassword(identifier, won ? 'starlight90' : 'starlight89')).toBe(401);
  });
});
