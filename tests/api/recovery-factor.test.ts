import { randomBytes } from 'node:crypto';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answer, refusal, start } from '../oidc/authorization.ts';
import { askPasskey, givePasskey } from '../support/passkeys.ts';
import { totpCode, turnOnTotp } from '../support/totp.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';
import { bind, nextPhone, otherCode, proveByCode, putPassword, readAccount } from './settings.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const NEW_PASSWORD = 'starlight88';

const STEP_MS = 30_000;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('recovery of an account with a second factor', () => {
  let world: World;
  let shiftSeconds = 0;
  let base = Date.now();
  const now = () => new Date(base + shiftSeconds * 1000);
  beforeAll(async () => {
    world = await createWorld({ now });
  });
  afterAll(() => world.close());
  // The clock stands still in a test, in the middle of a step of the app.
  beforeEach(() => {
    base = Math.floor(Date.now() / STEP_MS) * STEP_MS + STEP_MS / 2;
    shiftSeconds = 0;
  });

  /** Makes the factor of an account that was switched on days ago. */
  const putFactorOn = async (identifier: string, days: number) => {
    const { account_id } = await world.db
      .selectFrom('account_identifier')
      .select('account_id')
      .where('value', '=', identifier)
      .executeTakeFirstOrThrow();
    await world.db
      .updateTable('totp')
      .set({ active_since: new Date(now().getTime() - days * DAY * 1000) })
      .where('account_id', '=', account_id)
      .execute();
  };
  /** A person with an e-mail that has been bound for four days, a phone, and a second factor. */
  const create = async ({ phone = false } = {}) => {
    const identifier = `${randomBytes(6).toString('hex')}@example.com`;
    const { agent } = await world.signUp(identifier);
    const number = phone ? nextPhone() : undefined;
    if (number) await bind(world, agent, 'phone', number);
    const factor = await turnOnTotp(agent, now());
    await world.db
      .updateTable('account_identifier')
      .set({ verified_at: new Date(Date.now() - 4 * DAY * 1000) })
      .where('value', 'in', [identifier, number ?? ''])
      .execute();
    await putFactorOn(identifier, 4);
    return { agent, identifier, phone: number ?? '', ...factor };
  };
  const verify = async (identifier: string, agent = world.browser()) => {
    const code = await world.receiveCode(agent, identifier, 'recover');
    const answered = await agent.post('/api/recovery/verify', { identifier, code });
    expect(answered.status, answered.body).toBe(200);
    const started = answered.json();
    const { ticket } = started;
    return {
      agent,
      started,
      ticket,
      set: (more: object = {}) =>
        agent.post('/api/recovery/password', { ticket, password: NEW_PASSWORD, ...more }),
      wait: () => agent.post('/api/recovery/wait', { ticket }),
    };
  };
  const linkIn = async (to: string): Promise<string> => {
    const sent = (await world.messages()).findLast((one) => one.to === to && one.text.includes('/undo#'));
    return /\/undo#([\w-]{43})/.exec(sent?.text ?? '')?.[1] ?? 'none';
  };
  const noticesTo = async (to: string) =>
    (await world.messages())
      .filter((message) => message.to === to && message.code === undefined)
      .map(({ purpose }) => purpose);
  const isAsked = async (identifier: string, password = PASSWORD, agent = world.browser()) => {
    const { uid } = await start(world, { agent, parameters: { prompt: 'login' } });
    const given = await agent.post(`/interaction/${uid}/login`, { identifier, password });
    return { status: given.status, uid, agent };
  };
  /** What became of waits, as the activity has it; found by the identifier, for the account may have no session. */
  const fateNoted = async (identifier: string) => {
    const rows = await world.db
      .selectFrom('activity')
      .innerJoin('account_identifier as bound', 'bound.account_id', 'activity.account_id')
      .select('activity.kind')
      .where('bound.value', '=', identifier)
      .where('activity.kind', 'in', ['recovery_wait_stopped', 'totp_removed'])
      .where('session_uid', 'is', null)
      .execute();
    return rows.map(({ kind }) => kind);
  };
  const waiting = async (agent: UserAgent) => (await readAccount(agent)).recoveryWait;

  test('SF20: a new password takes the factor, which stays on', async () => {
    const { identifier, secret, recoveryCodes } = await create();
    const { started, set } = await verify(identifier);
    expect(started.secondFactor).toEqual(['totp', 'recovery_code']);
    expect(started).not.toHaveProperty('wait');
    expect(refusal(await set())).toEqual([403, 'second_factor_required']);
    expect(refusal(await set({ totp: otherCode(totpCode(secret, now())) }))).toEqual([401, 'totp_incorrect']);
    expect(refusal(await set({ recoveryCode: 'AAAAA-AAAAA' }))).toEqual([401, 'recovery_code_incorrect']);
    expect(refusal(await set({ totp: '123456', recoveryCode: 'AAAAA-AAAAA' }))).toEqual([
      400,
      'invalid_request',
    ]);
    expect((await isAsked(identifier, NEW_PASSWORD)).status).toBe(401);
    const totp = totpCode(secret, now());
    expect(refusal(await set({ totp, password: 'abc' }))).toEqual([400, 'password_too_short']);
    expect((await set({ totp })).status).toBe(204);
    expect((await isAsked(identifier, NEW_PASSWORD)).status).toBe(403);
    const again = await verify(identifier);
    expect(refusal(await again.set({ totp }))).toEqual([401, 'totp_incorrect']);
    expect((await again.set({ recoveryCode: recoveryCodes[3] })).status).toBe(204);
    expect(await noticesTo(identifier)).toContain('recovery_code_used');
  });

  test('SF20: a passkey stands for the factor', async () => {
    const withPasskey = async () => {
      const person = await create();
      expect((await person.agent.post('/api/step-up', { totp: totpCode(person.secret, now()) })).status).toBe(
        204,
      );
      return { ...person, ...(await givePasskey(person.agent, world.origin)) };
    };
    const other = await withPasskey();
    const { identifier, authenticator } = await withPasskey();
    const { agent: lost, ticket, started, set } = await verify(identifier);
    expect(started.secondFactor).toEqual(['totp', 'recovery_code', 'passkey']);
    const ask = (from: typeof authenticator) =>
      askPasskey(lost, from, '/api/recovery/options', {}, { ticket });
    const options = (await lost.post('/api/recovery/options', { ticket })).json();
    const theirs = other.authenticator.get({ ...options, allowCredentials: undefined }, {});
    expect(refusal(await set({ passkey: theirs }))).toEqual([401, 'passkey_rejected']);
    expect((await set({ passkey: await ask(authenticator) })).status).toBe(204);
  });

  test('PK12: a passkey that was proven and then removed recovers nothing', async () => {
    const { agent, identifier, secret } = await create();
    expect((await agent.post('/api/step-up', { totp: totpCode(secret, now()) })).status).toBe(204);
    const { authenticator, passkey } = await givePasskey(agent, world.origin);
    const { agent: thief, ticket, set } = await verify(identifier);
    const proof = await askPasskey(thief, authenticator, '/api/recovery/options', {}, { ticket });
    expect((await thief.post('/api/recovery/factor', { ticket, passkey: proof })).status).toBe(200);
    expect((await agent.delete(`/api/passkeys/${passkey.id}`)).status).toBe(204);
    expect(refusal(await set())).toEqual([403, 'second_factor_required']);
    expect((await agent.get('/api/account')).status).toBe(200);
  });

  test('SF27: a mailbox alone shows no app, passkey or contact of an account whose factor is due', async () => {
    const { agent, identifier, secret } = await create({ phone: true });
    await agent.post('/api/step-up', { totp: totpCode(secret, now()) });
    await givePasskey(agent, world.origin);
    const { started } = await verify(identifier);
    expect(Object.keys(started).toSorted()).toEqual(['expiresAt', 'secondFactor', 'ticket']);
  });

  test('SF31: the proven factor shows what the new password may remove, and the ticket takes no other', async () => {
    const { agent, identifier, phone, secret, recoveryCodes } = await create({ phone: true });
    await agent.post('/api/step-up', { totp: totpCode(secret, now()) });
    await givePasskey(agent, world.origin);
    const { rp } = await world.registerApp();
    await world.link(agent, rp);
    const { agent: lost, ticket, set } = await verify(identifier);
    const prove = (more: object, from = lost) => from.post('/api/recovery/factor', { ticket, ...more });
    expect(refusal(await prove({}))).toEqual([400, 'invalid_request']);
    expect(refusal(await prove({ recoveryCode: 'AAAAA-AAAAA' }))).toEqual([401, 'recovery_code_incorrect']);
    expect(refusal(await prove({ recoveryCode: recoveryCodes[0] }, world.browser()))).toEqual([
      401,
      'ticket_invalid',
    ]);
    expect(refusal(await set())).toEqual([403, 'second_factor_required']);
    const proven = await prove({ recoveryCode: recoveryCodes[0] });
    expect(proven.status, proven.body).toBe(200);
    const { authorizations, identifiers, passkeys } = proven.json();
    expect(authorizations).toMatchObject([{ client: { name: 'Example App' } }]);
    expect(identifiers).toMatchObject([{ kind: 'phone', masked: maskIdentifier(phone) }]);
    expect(passkeys).toHaveLength(1);
    // The answer may be lost: the same code, which is spent, is answered the same.
    expect((await prove({ recoveryCode: recoveryCodes[0] })).json()).toEqual(proven.json());
    expect((await set({ dropPasskeys: [passkeys[0].id], withdrawAuthorizations: true })).status).toBe(204);
    expect(refusal(await prove({ recoveryCode: recoveryCodes[1] }))).toEqual([401, 'ticket_invalid']);
    const again = await verify(identifier);
    expect(again.started.secondFactor).toEqual(['totp', 'recovery_code']);
  });

  test('SF31: an account without a factor has none to prove', async () => {
    const { identifier } = await world.signUp();
    const { agent, ticket, set } = await verify(identifier);
    const answered = await agent.post('/api/recovery/factor', { ticket, totp: '123456' });
    expect(refusal(answered)).toEqual([404, 'not_found']);
    expect((await set()).status).toBe(204);
  });

  test('SF21: tries in a recovery are bounded, and apart from those of a thief with the password', async () => {
    const { identifier, phone, secret } = await create({ phone: true });
    const thief = await isAsked(identifier);
    for (let n = 0; n < 6; n += 1)
      await thief.agent.post(`/interaction/${thief.uid}/second-factor`, {
        totp: otherCode(totpCode(secret, now())),
      });
    const { set } = await verify(identifier);
    for (let n = 0; n < 5; n += 1)
      expect((await set({ totp: otherCode(totpCode(secret, now())) })).status).toBe(401);
    expect(refusal(await set({ totp: totpCode(secret, now()) }))).toEqual([429, 'rate_limited']);
    // Who holds the mailbox does not use up the tries of who holds the phone.
    const byPhone = await verify(phone);
    expect(refusal(await byPhone.set({ totp: otherCode(totpCode(secret, now())) }))[1]).toBe(
      'totp_incorrect',
    );
    shiftSeconds += 301;
    expect((await (await verify(identifier)).set({ totp: totpCode(secret, now()) })).status).toBe(204);
  });

  test('AC4: a wrong factor of a recovery is noted as one of a sign-in is', async () => {
    const { agent, identifier, secret } = await create();
    const { set } = await verify(identifier, world.browser({ userAgent: FIREFOX }));
    await set({ totp: otherCode(totpCode(secret, now())) });
    await set({ recoveryCode: 'AAAAA-AAAAA' });
    await world.tellSignIns();
    expect((await agent.get('/api/activity')).json().items[0]).toMatchObject({
      kind: 'sign_in_refused',
      count: 2,
      browser: { name: 'Firefox' },
      detail: { method: 'second_factor' },
    });
  });

  test('SF22: who lost everything waits for 72 hours; then a new code sets the password, and the factor is off', async () => {
    const { agent, identifier, phone } = await create({ phone: true });
    const { wait, set } = await verify(identifier, world.browser({ userAgent: FIREFOX }));
    const { dueAt } = (await wait()).json();
    const [noted] = (await agent.get('/api/activity')).json().items;
    expect(noted).toMatchObject({ kind: 'recovery_wait_started', browser: { name: 'Firefox' } });
    expect(Math.round((Date.parse(dueAt) - Date.now()) / 1000 / HOUR)).toBe(72);
    for (const to of [identifier, phone]) expect(await noticesTo(to)).toContain('recovery_wait_started');
    expect(await waiting(agent)).toEqual({ dueAt });
    expect(refusal(await set())).toEqual([403, 'second_factor_required']);
    expect((await verify(identifier)).started.wait).toEqual({ dueAt });

    shiftSeconds = 72 * HOUR - 60;
    expect(refusal(await (await verify(identifier)).set())).toEqual([403, 'second_factor_required']);
    shiftSeconds = 72 * HOUR + 60;
    // Only who proves the same identifier anew, in whichever browser.
    const byPhone = await verify(phone);
    expect(byPhone.started).not.toHaveProperty('wait');
    expect(refusal(await byPhone.set())).toEqual([403, 'second_factor_required']);
    const due = await verify(identifier);
    expect(due.started).toMatchObject({ wait: { dueAt } });
    expect(due.started).not.toHaveProperty('secondFactor');
    expect((await due.set()).status).toBe(204);
    expect((await isAsked(identifier, NEW_PASSWORD)).status).toBe(200);
    expect((await agent.get('/api/account')).status).toBe(401);
    for (const to of [identifier, phone]) expect(await noticesTo(to)).toContain('totp_removed');
    // It was carried out, not stopped.
    expect(await fateNoted(identifier)).toEqual(['totp_removed']);
    expect(await noticesTo(identifier)).not.toContain('recovery_wait_stopped');
    expect(
      await world.db.selectFrom('recovery_wait').selectAll().where('value', '=', identifier).execute(),
    ).toEqual([]);
  });

  test('SF22: a wait that is begun again goes on as it was, and nobody is told twice', async () => {
    const { identifier } = await create();
    const { dueAt } = (await (await verify(identifier)).wait()).json();
    shiftSeconds = HOUR;
    expect((await (await verify(identifier)).wait()).json()).toEqual({ dueAt });
    const told = (await noticesTo(identifier)).filter((purpose) => purpose === 'recovery_wait_started');
    expect(told).toHaveLength(1);
  });

  test('SF22: a wait that nobody ends with a password is over after a week', async () => {
    const { identifier } = await create();
    await (await verify(identifier)).wait();
    shiftSeconds = 72 * HOUR + 7 * DAY + 60;
    const { started, set } = await verify(identifier);
    expect(started).not.toHaveProperty('wait');
    expect(refusal(await set())).toEqual([403, 'second_factor_required']);
  });

  test('SF23: the link in the notice stops a wait without a session, and names nobody in full', async () => {
    const { agent, identifier, phone } = await create({ phone: true });
    const { wait } = await verify(identifier);
    const { dueAt } = (await wait()).json();
    const token = await linkIn(phone);
    const stranger = world.browser();
    const looked = await stranger.post('/api/undo/look', { token });
    expect(looked.json()).toMatchObject({
      kind: 'recovery',
      identifier: maskIdentifier(identifier),
      waits: true,
      dueAt,
    });
    expect((await stranger.post('/api/undo', { token })).json()).toEqual({});
    expect(refusal(await stranger.post('/api/undo', { token }))).toEqual([404, 'not_found']);
    expect(await waiting(agent)).toBeUndefined();
    for (const to of [identifier, phone]) expect(await noticesTo(to)).toContain('recovery_wait_stopped');
    shiftSeconds = 72 * HOUR + 60;
    expect(refusal(await (await verify(identifier)).set())).toEqual([403, 'second_factor_required']);
  });

  test.each([
    [
      'any session',
      async ({ agent }: { agent: UserAgent }) =>
        (await agent.delete('/api/account/recovery-wait')).status === 204,
    ],
    [
      '“this wasn’t me” in the activity',
      async ({ agent }: { agent: UserAgent }) => {
        const [{ kind, id }] = (await agent.get('/api/activity')).json().items;
        expect(kind).toBe('recovery_wait_started');
        return (await agent.post(`/api/activity/${id}/dispute`)).status === 200;
      },
    ],
    [
      'a new password of a session',
      async ({ agent }: { agent: UserAgent }) => (await putPassword(agent, PASSWORD)).status === 204,
    ],
    [
      'a step-up by the app',
      async ({ agent, secret }: { agent: UserAgent; secret: string }) =>
        (await agent.post('/api/step-up', { totp: totpCode(secret, now()) })).status === 204,
    ],
    [
      'a sign-in that passes the factor',
      async ({ identifier, secret }: { identifier: string; secret: string }) => {
        const { agent, uid } = await isAsked(identifier);
        await answer(agent, `/interaction/${uid}/second-factor`, { totp: totpCode(secret, now()) });
        return true;
      },
    ],
    [
      'a recovery with a recovery code',
      async ({ identifier, recoveryCodes }: { identifier: string; recoveryCodes: string[] }) =>
        (await (await verify(identifier)).set({ recoveryCode: recoveryCodes[0] })).status === 204,
    ],
    [
      'switching the factor off',
      async ({ agent, secret }: { agent: UserAgent; secret: string }) =>
        (await agent.post('/api/step-up', { totp: totpCode(secret, now()) })).status === 204 &&
        (await agent.delete('/api/totp')).status === 204,
    ],
    [
      'leaving',
      async ({ agent, identifier, secret }: { agent: UserAgent; identifier: string; secret: string }) => {
        await agent.post('/api/step-up', { totp: totpCode(secret, now()) });
        await proveByCode(world, agent, identifier);
        return (await agent.delete('/api/account')).status === 200;
      },
    ],
  ])('SF23: %s stops a wait, which is noted and told once', async (_, act) => {
    const person = await create();
    await (await verify(person.identifier)).wait();
    expect(await act(person)).toBe(true);
    const rows = await world.db
      .selectFrom('recovery_wait')
      .select('value')
      .where('value', '=', person.identifier)
      .execute();
    expect(rows).toEqual([]);
    expect(await fateNoted(person.identifier)).toEqual(['recovery_wait_stopped']);
    const told = (await noticesTo(person.identifier)).filter(
      (purpose) => purpose === 'recovery_wait_stopped',
    );
    expect(told).toHaveLength(1);
  });

  test.each([
    [
      'a step-up by a factor',
      async (agent: UserAgent, secret: string) => {
        await agent.post('/api/step-up', { totp: totpCode(secret, now()) });
      },
    ],
    [
      'a sign-in with a factor',
      async (_: UserAgent, secret: string, identifier: string) => {
        const { agent, uid } = await isAsked(identifier);
        await answer(agent, `/interaction/${uid}/second-factor`, { totp: totpCode(secret, now()) });
      },
    ],
    [
      'a session',
      async (agent: UserAgent) => {
        expect(refusal(await agent.delete('/api/account/recovery-wait'))).toEqual([403, 'step_up_required']);
      },
    ],
    [
      'a new password',
      async (agent: UserAgent) => {
        await agent.post('/api/step-up', { password: PASSWORD });
        expect((await putPassword(agent, NEW_PASSWORD)).status).toBe(204);
      },
    ],
    [
      '“this wasn’t me”',
      async (agent: UserAgent) => {
        const [{ id }] = (await agent.get('/api/activity')).json().items;
        expect(refusal(await agent.post(`/api/activity/${id}/dispute`))).toEqual([403, 'step_up_required']);
      },
    ],
  ])('SF26: %s that is younger than the contact does not stop its wait', async (_, act) => {
    const { agent, identifier, secret } = await create();
    await putFactorOn(identifier, 1);
    shiftSeconds = 700;
    await (await verify(identifier)).wait();
    await act(agent, secret, identifier);
    shiftSeconds = 73 * HOUR;
    expect((await (await verify(identifier)).set()).status).toBe(204);
    expect((await isAsked(identifier, NEW_PASSWORD)).status).toBe(200);
    expect((await agent.get('/api/account')).status).toBe(401);
  });

  test('SF26: a contact that is younger than the one that asked gets no link, and stops nothing', async () => {
    const { agent, identifier, phone } = await create({ phone: true });
    await world.db
      .updateTable('account_identifier')
      .set({ verified_at: new Date(Date.now() - 3 * DAY * 1000) })
      .where('value', '=', phone)
      .execute();
    shiftSeconds = 700;
    await (await verify(identifier)).wait();
    const told = (await world.messages()).findLast(({ to }) => to === phone);
    expect(told).toMatchObject({
      purpose: 'recovery_wait_started',
      text: expect.not.stringContaining('/undo#'),
    });
    await proveByCode(world, agent, phone);
    const stop = () => agent.delete('/api/account/recovery-wait');
    expect((await stop()).json().error.fields).toMatchObject({ email: 'step_up_required' });
    await proveByCode(world, agent, identifier);
    expect((await stop()).status).toBe(204);
  });

  describe('SF15: each thief against the owner with the rest, for 30 days', () => {
    type Person = Awaited<ReturnType<typeof create>>;
    const isIn = async (agent: UserAgent) => (await agent.get('/api/account')).status === 200;
    /** What would keep the owner out, all of it. */
    const takeOver = async (agent: UserAgent) => {
      const tried = [
        await agent.post('/api/totp/recovery-codes'),
        await agent.delete('/api/totp'),
        await agent.post('/api/passkeys/options'),
        await agent.delete('/api/account/email'),
        await agent.delete('/api/account'),
      ];
      expect(tried.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    };
    const signIn = async (
      { identifier, secret }: Pick<Person, 'identifier' | 'secret'>,
      password: string,
      agent = world.browser(),
    ) => {
      const { uid } = await isAsked(identifier, password, agent);
      await answer(agent, `/interaction/${uid}/second-factor`, { totp: totpCode(secret, now()) });
      await agent.navigate('/login');
      return agent;
    };
    const recover = async ({ identifier, secret }: Person) =>
      expect((await (await verify(identifier)).set({ totp: totpCode(secret, now()) })).status).toBe(204);

    test.each<[string, (person: Person) => Promise<{ thief: UserAgent; password: string }>]>([
      [
        'the password',
        async (person) => {
          const { agent: thief, uid } = await isAsked(person.identifier);
          for (let n = 0; n < 5; n += 1)
            await thief.post(`/interaction/${uid}/second-factor`, { recoveryCode: 'AAAAA-AAAAA' });
          await recover(person);
          expect((await isAsked(person.identifier)).status).toBe(401);
          return { thief, password: NEW_PASSWORD };
        },
      ],
      [
        'the mailbox',
        async (person) => {
          const { agent: thief, set, wait } = await verify(person.identifier);
          await wait();
          await signIn(person, PASSWORD);
          shiftSeconds += 73 * HOUR;
          expect(refusal(await set())[1]).toBe('ticket_invalid');
          expect(refusal(await (await verify(person.identifier)).set())[1]).toBe('second_factor_required');
          return { thief, password: PASSWORD };
        },
      ],
      [
        'the SIM',
        async (person) => {
          const { agent: thief, wait } = await verify(person.phone);
          await wait();
          const token = await linkIn(person.identifier);
          expect((await world.browser().post('/api/undo', { token })).status).toBe(200);
          shiftSeconds += 73 * HOUR;
          expect(refusal(await (await verify(person.phone)).set())[1]).toBe('second_factor_required');
          return { thief, password: PASSWORD };
        },
      ],
      [
        'one live session, and the password',
        async (person) => {
          const { agent: thief } = person;
          shiftSeconds += 700;
          expect((await thief.post('/api/step-up', { password: PASSWORD })).status).toBe(204);
          await takeOver(thief);
          await recover(person);
          return { thief, password: NEW_PASSWORD };
        },
      ],
      [
        'one trusted browser, and the password',
        async (person) => {
          const thief = world.browser();
          const first = await isAsked(person.identifier, PASSWORD, thief);
          const passed = { totp: totpCode(person.secret, now()), remember: true };
          await answer(thief, `/interaction/${first.uid}/second-factor`, passed);
          await thief.navigate('/login');
          await thief.post('/api/sign-out');
          shiftSeconds += 700;
          expect((await isAsked(person.identifier, PASSWORD, thief)).status).toBe(200);
          await recover(person);
          expect((await isAsked(person.identifier, PASSWORD, thief)).status).toBe(401);
          expect((await isAsked(person.identifier, NEW_PASSWORD, thief)).status).toBe(403);
          return { thief, password: NEW_PASSWORD };
        },
      ],
    ])('who has %s is out', async (_, play) => {
      const person = await create({ phone: true });
      const { thief, password } = await play(person);
      shiftSeconds += 30 * DAY;
      expect(await isIn(thief)).toBe(false);
      const owner = await signIn(person, password);
      expect(await isIn(owner)).toBe(true);
    });

    test('who had the password and, once, the mailbox of an account without a factor is out', async () => {
      const { identifier } = await world.signUp();
      const { agent: thief } = await world.signIn(identifier);
      expect(refusal(await thief.post('/api/totp'))).toEqual([403, 'step_up_required']);
      // One code was enough to switch a factor on, from which on the owner's mailbox alone signs nobody in.
      await proveByCode(world, thief, identifier);
      const { secret } = await turnOnTotp(thief, now());
      await world.db
        .updateTable('account_identifier')
        .set({ verified_at: new Date(now().getTime() - 4 * DAY * 1000) })
        .where('value', '=', identifier)
        .execute();
      shiftSeconds += HOUR;
      await (await verify(identifier)).wait();
      // The factor was young when the contact asked. That it is kept meanwhile makes it no older for this wait.
      shiftSeconds += 71.5 * HOUR;
      await thief.post('/api/step-up', { totp: totpCode(secret, now()) });
      expect(refusal(await thief.delete('/api/account/recovery-wait'))).toEqual([403, 'step_up_required']);
      shiftSeconds += 60;
      await signIn({ identifier, secret }, PASSWORD);
      shiftSeconds += HOUR;
      expect((await (await verify(identifier)).set()).status).toBe(204);
      shiftSeconds += 30 * DAY;
      expect(await isIn(thief)).toBe(false);
      expect((await isAsked(identifier)).status).toBe(401);
      expect((await isAsked(identifier, NEW_PASSWORD)).status).toBe(200);
    });

    test('who switched a factor on is out by the link, while it is younger than 72 hours', async () => {
      const { identifier } = await world.signUp();
      const { agent: thief } = await world.signIn(identifier);
      await proveByCode(world, thief, identifier);
      await turnOnTotp(thief, now());
      shiftSeconds += 71 * HOUR;
      const token = await linkIn(identifier);
      expect((await world.browser().post('/api/undo', { token })).status).toBe(200);
      expect(await isIn(thief)).toBe(false);
      expect((await isAsked(identifier)).status).toBe(401);
      shiftSeconds += 30 * DAY;
      expect((await (await verify(identifier)).set()).status).toBe(204);
      expect((await isAsked(identifier, NEW_PASSWORD)).status).toBe(200);
      expect((await isAsked(identifier)).status).toBe(401);
    });

    test('who has the password of an account without a factor is out', async () => {
      const { identifier } = await world.signUp();
      const { agent: thief } = await world.signIn(identifier);
      for (const attempt of [
        await thief.post('/api/totp'),
        await thief.post('/api/passkeys/options'),
        await thief.delete('/api/account'),
      ])
        expect(refusal(attempt)).toEqual([403, 'step_up_required']);
      shiftSeconds += 30 * DAY;
      expect((await (await verify(identifier)).set()).status).toBe(204);
      expect(await isIn(thief)).toBe(false);
      expect((await isAsked(identifier)).status).toBe(401);
      expect((await isAsked(identifier, NEW_PASSWORD)).status).toBe(200);
    });
  });

  test('SF24: a stopped wait is not begun anew for a day, and three times a month at most', async () => {
    const { agent, identifier, phone } = await create({ phone: true });
    const begin = async (from = identifier) => (await verify(from)).wait();
    const stop = async () => {
      await proveByCode(world, agent, identifier);
      return agent.delete('/api/account/recovery-wait');
    };
    for (let day = 0; day < 3; day += 1) {
      expect((await begin()).status).toBe(200);
      expect((await stop()).status).toBe(204);
      expect(refusal(await begin())).toEqual([429, 'rate_limited']);
      shiftSeconds += DAY + 60;
    }
    expect(refusal(await begin())).toEqual([429, 'rate_limited']);
    // Who holds one mailbox does not use up the waits of who holds the phone.
    expect((await begin(phone)).status).toBe(200);
    expect((await stop()).status).toBe(204);
  });

  test('SF25: an identifier that was bound just now waits for 72 hours more; one that leaves takes its wait along', async () => {
    const { agent, identifier, secret } = await create();
    const phone = nextPhone();
    await agent.post('/api/step-up', { totp: totpCode(secret, now()) });
    await bind(world, agent, 'phone', phone);
    const { dueAt } = (await (await verify(phone)).wait()).json();
    expect(Math.round((Date.parse(dueAt) - Date.now()) / 1000 / HOUR)).toBe(144);
    expect((await agent.delete('/api/account/phone')).status).toBe(204);
    expect(await waiting(agent)).toBeUndefined();
    expect(await fateNoted(identifier)).toEqual(['recovery_wait_stopped']);
    expect(await noticesTo(identifier)).toContain('recovery_wait_started');
  });

  test('an account without a factor has nothing to wait for, and its recovery ignores one that is sent', async () => {
    const { identifier } = await world.signUp();
    const { wait, set, started } = await verify(identifier);
    expect(started).not.toHaveProperty('secondFactor');
    expect(refusal(await wait())).toEqual([404, 'not_found']);
    expect(refusal(await world.browser().post('/api/recovery/wait', { ticket: 'x'.repeat(43) }))).toEqual([
      401,
      'ticket_invalid',
    ]);
    expect((await set({ totp: '123456' })).status).toBe(204);
  });

  test('a session without a wait has nothing to stop, and nobody stops another’s', async () => {
    const { identifier } = await create();
    await (await verify(identifier)).wait();
    const { agent: stranger } = await world.signUp();
    expect(refusal(await stranger.delete('/api/account/recovery-wait'))).toEqual([404, 'not_found']);
    expect((await verify(identifier)).started.wait).toBeDefined();
  });
});
