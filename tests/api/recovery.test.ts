import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answer, approvalsOf, isActive, refusal, start } from '../oidc/authorization.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';

const NEW_PASSWORD = 'starlight88';

describe('recovery', () => {
  let world: World;
  let shiftSeconds = 0;
  beforeAll(async () => {
    world = await createWorld({ now: () => new Date(Date.now() + shiftSeconds * 1000) });
  });
  afterAll(() => world.close());

  const verify = async (agent: UserAgent, identifier: string, code?: string) =>
    agent.post('/api/recovery/verify', {
      identifier,
      code: code ?? (await world.receiveCode(agent, identifier, 'recover')),
    });
  const prove = async (agent: UserAgent, identifier: string): Promise<string> => {
    const answered = await verify(agent, identifier);
    expect(answered.status, answered.body).toBe(200);
    return answered.json().ticket;
  };
  const setPassword = (agent: UserAgent, ticket: string, more: object = {}) =>
    agent.post('/api/recovery/password', { ticket, password: NEW_PASSWORD, ...more });
  const recover = async (identifier: string, more: object = {}) => {
    const agent = world.browser();
    const done = await setPassword(agent, await prove(agent, identifier), more);
    expect(done.status, done.body).toBe(204);
  };
  const tryPassword = async (identifier: string, password: string, agent = world.browser()) => {
    const { uid } = await start(world, { agent });
    return (await agent.post(`/interaction/${uid}/login`, { identifier, password })).status;
  };

  test('a forgotten password is replaced by a code to any spelling of the phone number', async () => {
    const { identifier } = await world.signUp('+8613800138000');
    const agent = world.browser();
    const code = await world.receiveCode(agent, '+86 138 0013 8000', 'recover', identifier);
    const { status, json } = await verify(agent, '+86 138-0013-8000', code);
    expect([status, json()]).toEqual([
      200,
      {
        ticket: expect.any(String),
        expiresAt: expect.any(String),
        authorizations: [],
        identifiers: [],
        passkeys: [],
      },
    ]);
    expect((await setPassword(agent, json().ticket)).status).toBe(204);
    expect(await tryPassword(identifier, PASSWORD)).toBe(401);
    expect(await tryPassword(identifier, NEW_PASSWORD)).toBe(200);
  });

  test.each([
    ['password_too_short', 'abc12'],
    ['password_has_symbols', 'star-light-88'],
    ['password_too_common', 'password123'],
    ['password_too_common', 'aurelia2026'],
  ])('PW2: a new password refused with %s costs no new code', async (code, password) => {
    const { identifier } = await world.signUp();
    const agent = world.browser();
    const ticket = await prove(agent, identifier);
    const refused = await setPassword(agent, ticket, { password });
    expect([refused.status, refused.json().error]).toMatchObject([400, { code, fields: { password: code } }]);
    const own = identifier.slice(0, identifier.indexOf('@'));
    expect((await setPassword(agent, ticket, { password: own })).status).toBe(400);
    expect((await setPassword(agent, ticket)).status).toBe(204);
    expect(refusal(await setPassword(agent, ticket))).toEqual([401, 'ticket_invalid']);
  });

  test('PW6: sessions end with their tokens; links stay, and the response lists them', async () => {
    const { agent, identifier } = await world.signUp();
    const other = (await world.signIn(identifier)).agent;
    const bound = await world.registerApp({ grant_types: ['authorization_code'] });
    const hub = await world.registerApp({ client_name: 'Hub' });
    const { tokens: boundTokens } = await world.link(agent, bound.rp);
    const { tokens: linkTokens } = await world.link(agent, hub.rp);

    const device = world.browser();
    const { ticket, authorizations } = (await verify(device, identifier)).json();
    expect(authorizations).toEqual([
      {
        client: expect.objectContaining({ id: hub.clientId, name: 'Hub', host: 'app.example' }),
        scopes: ['openid', 'profile', 'offline_access'],
        createdAt: expect.any(String),
        lastAccessedAt: expect.any(String),
      },
    ]);
    expect((await setPassword(device, ticket)).status).toBe(204);

    for (const one of [agent, other]) expect((await one.get('/api/account')).status).toBe(401);
    expect(await isActive(bound, boundTokens.access_token)).toBe(false);
    expect(await isActive(hub, linkTokens.access_token)).toBe(true);
    const refreshed = await hub.rp.refresh(linkTokens.refresh_token ?? '');

    await recover(identifier, { password: 'starlight99', withdrawAuthorizations: true });
    expect(await isActive(hub, refreshed.access_token)).toBe(false);
    await expect(hub.rp.refresh(refreshed.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const again = world.browser();
    const { uid } = await start(world, { agent: again, app: hub });
    const { url } = await world.login(again, uid, identifier, 'starlight99');
    expect(url.pathname).toBe('/consent');
    expect(await approvalsOf(again)).toEqual([]);
  });

  describe('PW11: only the ticket of a recovery sets a password', () => {
    const unchanged = async (identifier: string) => {
      expect(await tryPassword(identifier, NEW_PASSWORD)).toBe(401);
      expect(await tryPassword(identifier, PASSWORD)).toBe(200);
    };

    test.each([
      ['left out', undefined, [400, 'invalid_request']],
      ['empty', '', [401, 'ticket_invalid']],
      ['made up', randomBytes(32).toString('base64url'), [401, 'ticket_invalid']],
    ])('a ticket that is %s does not', async (_, ticket, refused) => {
      const { identifier } = await world.signUp();
      const agent = world.browser();
      await world.receiveCode(agent, identifier, 'recover');
      const asked = { ticket, password: NEW_PASSWORD };
      expect(refusal(await agent.post('/api/recovery/password', asked))).toEqual(refused);
      await unchanged(identifier);
    });

    test.each(['login', 'register'])('a ticket or a code of %s does not', async (purpose) => {
      const { identifier } = await world.signUp();
      const agent = world.browser();
      const { uid } = await start(world, { agent });
      const code = await world.receiveCode(agent, identifier, purpose);
      expect(refusal(await verify(agent, identifier, code))).toEqual([401, 'code_incorrect']);
      const { ticket } = (
        await agent.post(`/interaction/${uid}/verify`, { identifier, code, purpose })
      ).json();
      expect(refusal(await setPassword(agent, ticket))).toEqual([401, 'ticket_invalid']);
      await unchanged(identifier);
    });

    test('not in another browser', async () => {
      const { identifier } = await world.signUp();
      const ticket = await prove(world.browser(), identifier);
      expect(refusal(await setPassword(world.browser(), ticket))).toEqual([401, 'ticket_invalid']);
      await unchanged(identifier);
    });

    test('not for another identifier than the proven one', async () => {
      const [victim, attacker] = [await world.signUp(), await world.signUp()];
      const agent = world.browser();
      const code = await world.receiveCode(agent, attacker.identifier, 'recover');
      expect(refusal(await verify(agent, victim.identifier, code))).toEqual([401, 'code_incorrect']);
      const ticket = (await verify(agent, attacker.identifier, code)).json().ticket;
      const swapped = await setPassword(agent, ticket, { identifier: victim.identifier });
      expect(refusal(swapped)).toEqual([400, 'invalid_request']);
      await unchanged(victim.identifier);
    });

    test('not after the identifier went to another account', async () => {
      const [owner, next] = [await world.signUp(), await world.signUp('+8613900139000')];
      const agent = world.browser();
      const ticket = await prove(agent, owner.identifier);
      const accountOf = (value: string) =>
        world.db.selectFrom('account_identifier').select('account_id').where('value', '=', value);
      await world.db
        .updateTable('account_identifier')
        .set({
          account_id: accountOf(next.identifier),
          verified_at: new Date(Date.now() + 1000),
        })
        .where('value', '=', owner.identifier)
        .execute();
      expect(refusal(await setPassword(agent, ticket))).toEqual([401, 'ticket_invalid']);
      await unchanged(next.identifier);
    });

    test('not after ten minutes, and not twice', async () => {
      const { identifier } = await world.signUp();
      const agent = world.browser();
      const late = await prove(agent, identifier);
      shiftSeconds += 601;
      expect(refusal(await setPassword(agent, late))).toEqual([401, 'ticket_invalid']);
      await unchanged(identifier);
      const ticket = await prove(agent, identifier);
      const parallel = await Promise.all(Array.from({ length: 8 }, () => setPassword(agent, ticket)));
      expect(parallel.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(401)]);
    });
  });

  test('PW12: no proof that someone else had ready opens the account afterwards', async () => {
    const { agent: thief, identifier } = await world.signUp();
    const app = await world.registerApp({ grant_types: ['authorization_code'] });
    const unresumed = world.browser();
    const begun = await start(world, { agent: unresumed, app });
    const signedIn = await unresumed.post(`/interaction/${begun.uid}/login`, {
      identifier,
      password: PASSWORD,
    });
    const { url: consentUrl, checks } = await app.rp.authorizationUrl();
    const consent = await thief.navigate(consentUrl);
    const { url: callback } = await world.approve(thief, world.interactionOf(consent.url));
    const holder = world.browser();
    const held = await start(world, { agent: holder, app });
    const code = await world.receiveCode(holder, identifier, 'login');
    const { ticket } = (
      await holder.post(`/interaction/${held.uid}/verify`, { identifier, code, purpose: 'login' })
    ).json();
    const unused = await world.receiveCode(holder, identifier, 'login');
    const otherRecovery = await prove(holder, identifier);

    await recover(identifier);

    expect((await thief.get('/api/account')).status).toBe(401);
    await expect(app.rp.exchange(callback, checks)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(await tryPassword(identifier, PASSWORD)).toBe(401);
    const login = `/interaction/${held.uid}/login`;
    expect(refusal(await holder.post(login, { identifier, ticket }))).toEqual([401, 'ticket_invalid']);
    expect(refusal(await holder.post(login, { identifier, code: unused }))).toEqual([401, 'code_incorrect']);
    expect(refusal(await setPassword(holder, otherRecovery))).toEqual([401, 'ticket_invalid']);

    const before = await unresumed.jar.getCookieString(world.origin);
    const resumed = await unresumed.navigate(signedIn.json().returnTo);
    expect(resumed.url.pathname).toBe('/login');
    expect(world.interactionOf(resumed.url)).toBe(begun.uid);
    expect(await unresumed.jar.getCookieString(world.origin)).toBe(before);
    expect((await unresumed.get('/api/account')).status).toBe(401);
    const retried = await answer(unresumed, `/interaction/${begun.uid}/login`, {
      identifier,
      password: NEW_PASSWORD,
    });
    expect(retried.url.searchParams.get('code')).toEqual(expect.any(String));
  });

  test('PW13: every contact of the account gets a notice, in the account’s language', async () => {
    const { identifier } = await world.signUp('+8613700137000');
    const owner = await world.db
      .selectFrom('account_identifier')
      .select('account_id')
      .where('value', '=', identifier)
      .executeTakeFirstOrThrow();
    const mail = 'second@example.com';
    await world.db
      .insertInto('account_identifier')
      .values({ ...owner, kind: 'email', value: mail, display: mail, verified_at: new Date(0) })
      .execute();
    await recover(identifier);
    const notice = { purpose: 'password_changed', locale: 'en' };
    expect(await world.lastMessageTo(mail)).toMatchObject({ ...notice, channel: 'email' });
    expect(await world.lastMessageTo(identifier)).toMatchObject({ ...notice, channel: 'sms' });
    expect(await world.lastMessageTo(mail)).not.toHaveProperty('code');
  });

  test('VC15: only the right code reveals that an account is disabled, and the password stays', async () => {
    const { identifier } = await world.signUp();
    const agent = world.browser();
    const ticket = await prove(agent, identifier);
    await world.db
      .updateTable('account')
      .set({ status: 'disabled' })
      .where('id', 'in', (query) =>
        query.selectFrom('account_identifier').select('account_id').where('value', '=', identifier),
      )
      .execute();
    expect(refusal(await setPassword(agent, ticket))).toEqual([403, 'account_disabled']);
    const code = await world.receiveCode(agent, identifier, 'recover');
    const wrong = code === '000000' ? '000001' : '000000';
    expect(refusal(await verify(agent, identifier, wrong))).toEqual([401, 'code_incorrect']);
    expect(refusal(await verify(agent, identifier, code))).toEqual([403, 'account_disabled']);
  });

  test('VC12: for an identifier without an account every code gets the answer of a wrong code', async () => {
    const { identifier } = await world.signUp();
    const unknown = `${randomBytes(6).toString('hex')}@example.com`;
    const shape = async (to: string) => {
      const agent = world.browser();
      const sent = await agent.post('/api/codes', { identifier: to, purpose: 'recover' });
      const tries = [];
      for (let count = 0; count < 6; count += 1) tries.push(refusal(await verify(agent, to, '12')));
      return [sent.status, Object.keys(sent.json()), Object.keys(sent.headers).sort(), tries];
    };
    expect(await shape(unknown)).toEqual(await shape(identifier));
    expect((await world.messages()).some(({ to }) => to === unknown)).toBe(false);
  });
});
