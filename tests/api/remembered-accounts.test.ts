import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { start } from '../oidc/authorization.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';
import { bind, nextPhone, patchAccount, putPassword, readAccount, undoTokenTo } from './settings.ts';

const nextEmail = () => `${randomBytes(6).toString('hex')}@example.com`;

describe('the account that a browser remembers', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  const remembered = async (agent: UserAgent) => {
    const { uid } = await start(world, { agent, parameters: { prompt: 'login' } });
    return (await world.details(agent, uid)).accounts;
  };
  /** A browser that was once used for the account and is signed out. */
  const usedOnce = async (identifier: string, typed = identifier) => {
    const agent = world.browser();
    const { uid } = await start(world, { agent, parameters: { prompt: 'login' } });
    const answer = await agent.post(`/interaction/${uid}/login`, { identifier: typed, password: PASSWORD });
    expect(answer.status, answer.body).toBe(200);
    await agent.navigate(answer.json().returnTo);
    expect((await agent.post('/api/sign-out')).status).toBe(204);
    return agent;
  };
  const signUp = async () => {
    const person = await world.signUp(nextEmail());
    const { id } = await readAccount(person.agent);
    return { ...person, id };
  };

  test('is shown by the identifier typed in it, while that is bound, and by no other', async () => {
    const { agent, identifier, id } = await signUp();
    const browser = await usedOnce(identifier);
    const phone = nextPhone();
    await bind(world, agent, 'phone', phone);
    await patchAccount(agent, { nickname: 'Ada Lovelace' });
    expect(await remembered(browser)).toEqual([{ id, identifier }]);
    const byPhone = await usedOnce(phone, phone.replace('+86', '+86 '));
    expect(await remembered(byPhone)).toEqual([{ id, identifier: phone }]);
    expect((await agent.delete('/api/account/email')).status).toBe(204);
    expect(await remembered(browser)).toEqual([]);
    expect(await remembered(byPhone)).toEqual([{ id, identifier: phone }]);
    // Nor does it come back when another account binds it.
    const other = await world.signUp(nextPhone());
    await bind(world, other.agent, 'email', identifier);
    expect(await remembered(browser)).toEqual([]);
  });

  test('is shown by the identifier typed last, as it was typed', async () => {
    const { agent, identifier, id } = await signUp();
    const phone = nextPhone();
    await bind(world, agent, 'phone', phone);
    const browser = await usedOnce(identifier);
    const { uid } = await start(world, { agent: browser, parameters: { prompt: 'login' } });
    await world.login(browser, uid, phone);
    await browser.post('/api/sign-out');
    expect(await remembered(browser)).toEqual([{ id, identifier: phone }]);
  });

  const forgetting: [string, (person: Awaited<ReturnType<typeof signUp>>) => Promise<UserAgent>][] = [
    [
      'a new password',
      async ({ agent }) => {
        expect((await putPassword(agent, 'starlight88')).status).toBe(204);
        return agent;
      },
    ],
    [
      'recovery',
      async ({ identifier }) => {
        const agent = await usedOnce(identifier);
        const code = await world.receiveCode(agent, identifier, 'recover');
        const { ticket } = (await agent.post('/api/recovery/verify', { identifier, code })).json();
        const json = { ticket, password: 'starlight88' };
        expect((await agent.post('/api/recovery/password', json)).status).toBe(204);
        return agent;
      },
    ],
    [
      'signing all others out',
      async ({ agent }) => {
        expect((await agent.delete('/api/sessions?except=current')).status).toBe(204);
        return agent;
      },
    ],
    [
      'signing out everywhere',
      async ({ agent }) => {
        expect((await agent.delete('/api/sessions')).status).toBe(204);
        return agent;
      },
    ],
  ];

  test.each(forgetting)(
    '%s makes every other browser forget the account, and no other account',
    async (_, act) => {
      const person = await signUp();
      const neighbour = await signUp();
      const browser = await usedOnce(person.identifier);
      const { uid } = await start(world, { agent: browser, parameters: { prompt: 'login' } });
      await world.login(browser, uid, neighbour.identifier);
      expect(await remembered(browser)).toHaveLength(2);
      const own = await act(person);
      expect(await remembered(browser)).toEqual([{ id: neighbour.id, identifier: neighbour.identifier }]);
      expect(await remembered(own)).toEqual([{ id: person.id, identifier: person.identifier }]);
    },
  );

  test('a link that undoes a change makes every browser forget the account', async () => {
    const { agent, identifier } = await signUp();
    await bind(world, agent, 'phone', nextPhone());
    const browser = await usedOnce(identifier);
    const { agent: byPassword } = await world.signIn(identifier);
    expect((await byPassword.delete('/api/account/email')).status).toBe(204);
    const token = await undoTokenTo(world, identifier);
    expect((await world.browser().post('/api/undo', { token })).status).toBe(200);
    for (const one of [browser, agent, byPassword]) expect(await remembered(one)).toEqual([]);
  });

  test('signing out may forget the person in this browser only', async () => {
    const { agent, identifier, id } = await signUp();
    const other = await usedOnce(identifier);
    expect((await agent.post('/api/sign-out', { forget: true })).status).toBe(204);
    expect(await remembered(agent)).toEqual([]);
    expect(await remembered(other)).toEqual([{ id, identifier }]);
    await world.signIn(identifier, agent);
    expect((await agent.post('/api/sign-out', {})).status).toBe(204);
    expect(await remembered(agent)).toEqual([{ id, identifier }]);
    expect((await world.signIn(identifier, agent)).agent).toBe(agent);
    expect((await agent.post('/api/sign-out', { forget: 'yes' })).status).toBe(400);
    expect((await agent.get('/api/account')).status).toBe(200);
  });
});
