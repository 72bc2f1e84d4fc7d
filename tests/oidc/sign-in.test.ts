import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';
import { answer, refusal, start } from './authorization.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const acceptedOf = async (agent: UserAgent, uid: string) =>
  (await world.details(agent, uid)).agreements.map(({ id, version }: { id: string; version: string }) => ({
    id,
    version,
  }));

describe('signing in', () => {
  test('with a code', async () => {
    const { identifier } = await world.signUp();
    const agent = world.browser();
    const { uid } = await start(world, { agent });
    const code = await world.receiveCode(agent, identifier, 'login');
    const consent = await answer(agent, `/interaction/${uid}/login`, { identifier, code });
    expect(consent.url.pathname).toBe('/consent');
    expect((await world.details(agent, world.interactionOf(consent.url))).account.identifier).toBe(
      identifier,
    );
  });

  test('with the ticket of an earlier code', async () => {
    const { identifier } = await world.signUp();
    const agent = world.browser();
    const { uid } = await start(world, { agent });
    const code = await world.receiveCode(agent, identifier, 'login');
    const verified = await agent.post(`/interaction/${uid}/verify`, { identifier, code, purpose: 'login' });
    expect(verified.status).toBe(200);
    const { ticket } = verified.json();
    expect((await answer(agent, `/interaction/${uid}/login`, { identifier, ticket })).url.pathname).toBe(
      '/consent',
    );
  });

  test('a wrong password and a wrong code are refused, and the right one still works', async () => {
    const { identifier } = await world.signUp();
    const agent = world.browser();
    const { uid } = await start(world, { agent });
    const login = `/interaction/${uid}/login`;
    expect(refusal(await agent.post(login, { identifier, password: 'wrong77' }))).toEqual([
      401,
      'invalid_credentials',
    ]);
    const code = await world.receiveCode(agent, identifier, 'login');
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    expect(refusal(await agent.post(login, { identifier, code: wrong }))).toEqual([401, 'code_incorrect']);
    expect((await answer(agent, login, { identifier, code })).url.pathname).toBe('/consent');
  });

  test('the ticket of another browser opens nothing', async () => {
    const { identifier } = await world.signUp();
    const agent = world.browser();
    const { uid } = await start(world, { agent });
    const code = await world.receiveCode(agent, identifier, 'login');
    const { ticket } = (
      await agent.post(`/interaction/${uid}/verify`, { identifier, code, purpose: 'login' })
    ).json();
    const thief = world.browser();
    const theirs = await start(world, { agent: thief });
    expect(refusal(await thief.post(`/interaction/${theirs.uid}/login`, { identifier, ticket }))).toEqual([
      401,
      'ticket_invalid',
    ]);
  });

  test('only the right password reveals that an account is disabled, and it cannot sign in', async () => {
    const { agent: own, identifier } = await world.signUp();
    const { id } = (await own.get('/api/account')).json();
    await world.db.updateTable('account').set({ status: 'disabled' }).where('id', '=', id).execute();
    const agent = world.browser();
    const { uid } = await start(world, { agent });
    const login = `/interaction/${uid}/login`;
    expect(refusal(await agent.post(login, { identifier, password: PASSWORD }))).toEqual([
      403,
      'account_disabled',
    ]);
    const code = await world.receiveCode(agent, identifier, 'login');
    expect(refusal(await agent.post(login, { identifier, code }))).toEqual([403, 'account_disabled']);
    expect(refusal(await own.get('/api/account'))).toEqual([401, 'not_signed_in']);
  });
});

describe('an account that does not exist', () => {
  test('is revealed after the right code, with a ticket that registers without another code', async () => {
    const identifier = 'newcomer@example.com';
    const agent = world.browser();
    const { uid } = await start(world, { agent });
    const code = await world.receiveCode(agent, identifier, 'login');
    const refused = await agent.post(`/interaction/${uid}/login`, { identifier, code });
    expect(refusal(refused)).toEqual([404, 'account_not_found']);
    const { ticket } = refused.json().error;
    const agreements = await acceptedOf(agent, uid);
    const register = `/interaction/${uid}/register`;

    const short = await agent.post(register, { identifier, ticket, password: 'abc', agreements });
    expect(refusal(short)).toEqual([400, 'password_too_short']);
    expect(short.json().error.ticket).toBe(ticket);
    const consent = await answer(agent, register, { identifier, ticket, password: PASSWORD, agreements });
    expect(consent.url.pathname).toBe('/consent');
    expect((await agent.get('/api/account')).json()).toMatchObject({ email: identifier, hasPassword: true });
  });

  test('is not revealed after a wrong code', async () => {
    const agent = world.browser();
    const { uid } = await start(world, { agent });
    const identifier = 'nobody@example.com';
    const code = await world.receiveCode(agent, identifier, 'login');
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    const refused = await agent.post(`/interaction/${uid}/login`, { identifier, code: wrong });
    expect(refusal(refused)).toEqual([401, 'code_incorrect']);
    expect(refused.json().error).not.toHaveProperty('ticket');
  });
});

describe('registering', () => {
  test('with a taken identifier reveals this to its owner only, with a ticket that signs in', async () => {
    const { identifier } = await world.signUp();
    const agent = world.browser();
    const { uid } = await start(world, { agent, parameters: { prompt: 'create' } });
    const agreements = await acceptedOf(agent, uid);
    const register = `/interaction/${uid}/register`;
    const code = await world.receiveCode(agent, identifier, 'register');
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    expect(
      refusal(await agent.post(register, { identifier, code: wrong, password: PASSWORD, agreements })),
    ).toEqual([401, 'code_incorrect']);

    const taken = await agent.post(register, { identifier, code, password: 'another77word', agreements });
    expect(refusal(taken)).toEqual([409, 'identifier_taken']);
    const { ticket } = taken.json().error;
    expect((await answer(agent, `/interaction/${uid}/login`, { identifier, ticket })).url.pathname).toBe(
      '/consent',
    );

    const elsewhere = await world.signIn(identifier);
    expect((await elsewhere.agent.get('/api/account')).json().email).toBe(identifier);
  });

  test('without the required agreements is refused, and creates no account', async () => {
    const agent = world.browser();
    const identifier = 'undecided@example.com';
    const { uid } = await start(world, { agent, parameters: { prompt: 'create' } });
    const code = await world.receiveCode(agent, identifier, 'register');
    const refused = await agent.post(`/interaction/${uid}/register`, {
      identifier,
      code,
      password: PASSWORD,
      agreements: [],
    });
    expect(refusal(refused)).toEqual([400, 'agreements_required']);
    expect(refused.json().error.ticket).toBeTypeOf('string');
    const rows = await world.db
      .selectFrom('account_identifier')
      .select('account_id')
      .where('value', '=', identifier)
      .execute();
    expect(rows).toEqual([]);
  });
});

describe('remembered accounts', () => {
  const listed = async (agent: UserAgent) => {
    const { uid } = await start(world, { agent, parameters: { prompt: 'login' } });
    const { accounts } = await world.details(agent, uid);
    return { uid, accounts: accounts as { id: string; identifier: string; nickname?: string }[] };
  };

  test('are listed in this browser only, the last used first, and can be forgotten', async () => {
    const { agent, identifier: first } = await world.signUp();
    await agent.post('/api/sign-out');
    const { identifier: second } = await world.signUp(undefined, agent);
    await agent.post('/api/sign-out');

    const { uid, accounts } = await listed(agent);
    expect(accounts.map(({ identifier }) => identifier)).toEqual([second, first]);
    expect((await listed(world.browser())).accounts).toEqual([]);

    const forgotten = accounts[1]?.id ?? '';
    expect((await agent.delete(`/interaction/${uid}/accounts/${forgotten}`)).status).toBe(204);
    expect((await listed(agent)).accounts.map(({ identifier }) => identifier)).toEqual([second]);
    expect((await agent.delete(`/interaction/${uid}/accounts/${forgotten}`)).status).toBe(204);
  });

  test('another browser cannot forget them for this one', async () => {
    const { agent, identifier } = await world.signUp();
    const { accounts } = await listed(agent);
    const stranger = world.browser();
    const { uid } = await listed(stranger);
    await stranger.delete(`/interaction/${uid}/accounts/${accounts[0]?.id}`);
    expect((await listed(agent)).accounts.map((account) => account.identifier)).toEqual([identifier]);
  });

  test('fill in the identifier and nothing more: they sign in again', async () => {
    const { agent, identifier } = await world.signUp();
    await agent.post('/api/sign-out');
    const { uid } = await listed(agent);
    expect(refusal(await agent.post(`/interaction/${uid}/continue`))).toEqual([403, 'step_up_required']);
    expect((await world.login(agent, uid, identifier)).url.pathname).toBe('/consent');
  });
});
