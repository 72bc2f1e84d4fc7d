import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { refusal, start } from '../oidc/authorization.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { untilLockWaits } from '../support/waiting-for-lock.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';
import { snapshot } from './routes.ts';
import {
  bind,
  nextPhone,
  passTheWait,
  proveByCode,
  putIdentifier,
  putPassword,
  readAccount,
  undoTokenTo,
} from './settings.ts';

const NEW_PASSWORD = 'starlight88';
const nextEmail = () => `${randomBytes(6).toString('hex')}@example.com`;

describe('recovering an account', () => {
  let world: World;
  let shiftSeconds = 0;
  beforeAll(async () => {
    world = await createWorld({ now: () => new Date(Date.now() + shiftSeconds * 1000) });
  });
  afterAll(() => world.close());
  // The engine dates sign-ins by its own clock.
  beforeEach(async () => {
    shiftSeconds = 0;
    await world.db.deleteFrom('identifier_change').execute();
  });

  const noticesTo = async (to: string) =>
    (await world.messages())
      .filter((message) => message.to === to && message.code === undefined)
      .map(({ purpose }) => purpose);
  const signInByCode = async (identifier: string, agent = world.browser()) => {
    const { uid } = await start(world, { agent, parameters: { prompt: 'login' } });
    const code = await world.receiveCode(agent, identifier, 'login');
    const answer = await agent.post(`/interaction/${uid}/login`, { identifier, code });
    if (answer.status === 200) await agent.navigate(answer.json().returnTo);
    return { agent, status: answer.status };
  };
  const isSignedIn = async (agent: UserAgent) => (await agent.get('/api/account')).status === 200;
  const proveRecovery = async (identifier: string, agent = world.browser()) => {
    const code = await world.receiveCode(agent, identifier, 'recover');
    const answer = await agent.post('/api/recovery/verify', { identifier, code });
    expect(answer.status, answer.body).toBe(200);
    return { agent, ...answer.json() };
  };
  const recover = async (identifier: string, more: object = {}) => {
    const { agent, ticket } = await proveRecovery(identifier);
    const json = { ticket, password: NEW_PASSWORD, ...more };
    return agent.post('/api/recovery/password', json);
  };
  const stepUpByCode = async (agent: UserAgent, identifier: string) => {
    const code = await world.receiveCode(agent, identifier, 'step-up');
    expect((await agent.post('/api/step-up', { identifier, code })).status).toBe(204);
  };
  const look = (token: string, agent = world.browser()) => agent.post('/api/undo/look', { token });
  const undo = (token: string, agent = world.browser()) => agent.post('/api/undo', { token });
  const ownersOf = async (value: string) =>
    (
      await world.db
        .selectFrom('account_identifier')
        .select('account_id')
        .where('value', '=', value)
        .execute()
    ).map((row) => row.account_id);

  /** An intruder with the password binds a phone. */
  const intrude = async () => {
    const owner = await world.signUp(nextEmail());
    shiftSeconds += 1;
    const email = owner.identifier;
    const { agent: intruder } = await world.signIn(email);
    const phone = nextPhone();
    await bind(world, intruder, 'phone', phone);
    return { owner, email, intruder, phone };
  };

  describe('from an intruder who bound a phone', () => {
    test('recovery shows the phone, removes it on request, and leaves the intruder nothing', async () => {
      const { email, intruder, phone } = await intrude();
      const { agent, ticket, identifiers } = await proveRecovery(email);
      expect(identifiers).toEqual([
        { kind: 'phone', masked: maskIdentifier(phone), boundAt: expect.any(String) },
      ]);
      expect(Math.abs(Date.parse(identifiers[0].boundAt) - Date.now() - shiftSeconds * 1000)).toBeLessThan(
        60_000,
      );

      const held = world.browser();
      const { uid } = await start(world, { agent: held });
      const code = await world.receiveCode(held, phone, 'login');
      const { ticket: heldTicket } = (
        await held.post(`/interaction/${uid}/verify`, { identifier: phone, code, purpose: 'login' })
      ).json();

      const drop = { ticket, password: NEW_PASSWORD, dropIdentifiers: ['phone'] };
      expect((await agent.post('/api/recovery/password', drop)).status).toBe(204);
      expect(await isSignedIn(intruder)).toBe(false);
      expect((await signInByCode(phone)).status).toBe(404);
      expect(
        refusal(await held.post(`/interaction/${uid}/login`, { identifier: phone, ticket: heldTicket })),
      ).toEqual([401, 'ticket_invalid']);
      // The notice to the phone has no link, and does not report the new password.
      expect(await noticesTo(phone)).toEqual(['phone_bound', 'phone_unbound']);
      expect((await world.lastMessageTo(phone)).text).not.toContain('undo#');
      // Both of one change leave at the same moment.
      expect((await noticesTo(email)).toSorted()).toEqual([
        'password_changed',
        'phone_bound',
        'phone_unbound',
      ]);
      await expect(undoTokenTo(world, phone)).rejects.toThrow('no link');
      const { agent: back } = await signInByCode(email);
      expect(await readAccount(back)).not.toHaveProperty('phone');
    });

    test('a phone kept at recovery signs in, but its removal of the e-mail waits, and a link undoes it', async () => {
      const { email, intruder: before, phone } = await intrude();
      expect((await recover(email)).status).toBe(204);
      expect(await isSignedIn(before)).toBe(false);
      const { agent: intruder } = await signInByCode(phone);
      const refused = await intruder.delete('/api/account/email');
      expect(refusal(refused)).toEqual([403, 'step_up_required']);
      expect(refused.json().error.fields).toEqual({ email: 'step_up_required' });
      await stepUpByCode(intruder, phone);
      expect(refusal(await intruder.delete('/api/account/email'))).toEqual([403, 'step_up_required']);
      // Nor does the intruder’s own password: it is younger than the e-mail.
      expect((await putPassword(intruder, 'intruder77')).status).toBe(204);
      expect((await intruder.post('/api/step-up', { password: 'intruder77' })).status).toBe(204);
      expect(refusal(await intruder.delete('/api/account/email'))).toEqual([403, 'step_up_required']);
      const other = nextEmail();
      const code = await world.receiveCode(intruder, other, 'bind');
      expect(refusal(await putIdentifier(intruder, 'email', other, code))).toEqual([403, 'step_up_required']);

      const accepted = await intruder.delete('/api/account/email?wait=true');
      expect([accepted.status, accepted.body]).toEqual([202, '']);
      const { changes, email: still } = await readAccount(intruder);
      expect(still).toBe(email);
      expect(changes).toEqual([
        { id: expect.any(String), kind: 'email', requestedAt: expect.any(String), dueAt: expect.any(String) },
      ]);
      expect(Date.parse(changes[0].dueAt) - Date.parse(changes[0].requestedAt)).toBe(72 * 3_600_000);
      expect((await noticesTo(email)).at(-1)).toBe('email_unbind_waits');
      expect((await noticesTo(phone)).at(-1)).toBe('email_unbind_waits');
      await expect(undoTokenTo(world, phone)).rejects.toThrow('no link');

      const token = await undoTokenTo(world, email);
      const seen = (await look(token)).json();
      expect(seen).toMatchObject({
        kind: 'email',
        identifier: `${email[0]}•••@example.com`,
        waits: true,
        dueAt: changes[0].dueAt,
      });
      expect((await undo(token)).json()).toEqual({ identifier: email });
      expect(await isSignedIn(intruder)).toBe(false);
      await passTheWait(world);
      expect(await world.carryOutChanges()).toBe(0);
      expect(await ownersOf(email)).toHaveLength(1);
      expect((await recover(email, { dropIdentifiers: ['phone'] })).status).toBe(204);
      expect(await ownersOf(phone)).toEqual([]);
    });

    test('recovery by the phone cannot drop the e-mail at once', async () => {
      const { email, phone } = await intrude();
      const { agent, ticket, identifiers } = await proveRecovery(phone);
      expect(identifiers).toEqual([
        { kind: 'email', masked: `${email[0]}•••@example.com`, boundAt: expect.any(String), waits: true },
      ]);
      const json = { ticket, password: NEW_PASSWORD, dropIdentifiers: ['email'] };
      expect((await agent.post('/api/recovery/password', json)).status).toBe(204);
      expect(await ownersOf(email)).toHaveLength(1);
      expect((await noticesTo(email)).slice(-2).sort()).toEqual(['email_unbind_waits', 'password_changed']);
      // The owner recovers, which voids the change that the intruder requested.
      const token = await undoTokenTo(world, email);
      expect((await recover(email, { dropIdentifiers: ['phone'] })).status).toBe(204);
      expect(refusal(await look(token))).toEqual([404, 'not_found']);
      await passTheWait(world);
      expect(await world.carryOutChanges()).toBe(0);
      expect(await ownersOf(email)).toHaveLength(1);
      expect(await ownersOf(phone)).toEqual([]);
    });

    test('the proven identifier cannot be removed, and the ticket stays valid', async () => {
      const { email } = await intrude();
      const { agent, ticket } = await proveRecovery(email);
      const json = { ticket, password: NEW_PASSWORD };
      const refused = await agent.post('/api/recovery/password', { ...json, dropIdentifiers: ['email'] });
      expect(refusal(refused)).toEqual([400, 'invalid_request']);
      expect(refused.json().error.fields).toEqual({ dropIdentifiers: 'invalid_request' });
      expect((await agent.post('/api/recovery/password', json)).status).toBe(204);
    });
  });

  describe('from an intruder who knows the password', () => {
    test('the link in its notice restores a removed e-mail once, and ends every session', async () => {
      const { owner, email, intruder, phone } = await intrude();
      expect((await intruder.delete('/api/account/email')).status).toBe(204);
      expect((await signInByCode(email)).status).toBe(404);
      const token = await undoTokenTo(world, email);
      const seen = await look(token);
      expect(seen.json()).toMatchObject({ kind: 'email', waits: false });
      expect(seen.json()).not.toHaveProperty('replacement');
      const visitor = world.browser();
      const done = await undo(token, visitor);
      expect([done.status, done.json()]).toEqual([200, { identifier: email }]);
      for (const agent of [intruder, owner.agent]) expect(await isSignedIn(agent)).toBe(false);
      expect(refusal(await undo(token, visitor))).toEqual([404, 'not_found']);
      expect(refusal(await look(token))).toEqual([404, 'not_found']);
      expect((await noticesTo(phone)).at(-1)).toBe('email_kept');
      expect((await noticesTo(email)).at(-1)).toBe('email_kept');

      // The password is closed, so the intruder cannot repeat the removal.
      await expect(world.signIn(email)).rejects.toThrow('invalid_credentials');
      // A restored e-mail keeps its age.
      expect((await recover(email, { dropIdentifiers: ['phone'] })).status).toBe(204);
      expect(await ownersOf(phone)).toEqual([]);
    });

    test('a link restores a replaced e-mail, removes its replacement, and voids the intruder’s links', async () => {
      const { email, intruder } = await intrude();
      const [first, second] = [nextEmail(), nextEmail()];
      shiftSeconds += 1;
      await bind(world, intruder, 'email', first);
      const token = await undoTokenTo(world, email);
      shiftSeconds += 1;
      await bind(world, intruder, 'email', second);
      const intrudersToken = await undoTokenTo(world, first);
      expect((await look(token)).json().replacement).toBe(`${first[0]}•••@example.com`);
      expect((await undo(token)).status).toBe(200);
      expect(await ownersOf(email)).toHaveLength(1);
      for (const value of [first, second]) expect(await ownersOf(value)).toEqual([]);
      expect(refusal(await undo(intrudersToken))).toEqual([404, 'not_found']);
      expect((await noticesTo(second)).at(-1)).toBe('email_kept');
    });

    test('a link used by the intruder does not end the owner’s', async () => {
      const { email, intruder } = await intrude();
      const [first, second] = [nextEmail(), nextEmail()];
      shiftSeconds += 1;
      await bind(world, intruder, 'email', first);
      const token = await undoTokenTo(world, email);
      shiftSeconds += 1;
      await bind(world, intruder, 'email', second);
      expect((await undo(await undoTokenTo(world, first))).status).toBe(200);
      expect((await undo(token)).status).toBe(200);
      expect(await ownersOf(email)).toHaveLength(1);
      expect(await ownersOf(first)).toEqual([]);
    });

    test('recovery voids links that restore identifiers younger than the proven one, and no others', async () => {
      const { email, intruder, phone } = await intrude();
      expect((await intruder.delete('/api/account/phone')).status).toBe(204);
      const intruders = await undoTokenTo(world, phone);
      await bind(world, intruder, 'phone', phone);
      expect((await intruder.delete('/api/account/email')).status).toBe(204);
      const owners = await undoTokenTo(world, email);
      // Bound again, the e-mail is as old as before, and its link is void.
      expect(refusal(await look(intruders))).toEqual([404, 'not_found']);
      expect((await recover(phone)).status).toBe(204);
      expect((await undo(owners)).status).toBe(200);
      expect(await ownersOf(email)).toHaveLength(1);

      expect((await recover(email, { dropIdentifiers: ['phone'], password: 'starlight99' })).status).toBe(
        204,
      );
      const { agent: back } = await signInByCode(email);
      shiftSeconds += 1;
      await bind(world, back, 'phone', phone);
      expect((await back.post('/api/step-up', { password: 'starlight99' })).status).toBe(204);
    });

    test('an e-mail that its owner binds again keeps its age', async () => {
      const { owner, email, intruder } = await intrude();
      const taken = nextEmail();
      shiftSeconds += 1;
      await bind(world, intruder, 'email', taken);
      const [before] = await world.db
        .selectFrom('identifier_change')
        .select('bound_at')
        .where('value', '=', email)
        .execute();
      shiftSeconds += 700;
      expect((await owner.agent.post('/api/step-up', { password: PASSWORD })).status).toBe(204);
      await bind(world, owner.agent, 'email', email);
      const after = await world.db
        .selectFrom('account_identifier')
        .select('verified_at')
        .where('value', '=', email)
        .executeTakeFirstOrThrow();
      expect(after.verified_at).toEqual(before?.bound_at);
      await expect(undoTokenTo(world, taken)).rejects.toThrow('no link');
    });

    test('an identifier that another account has bound since is not restored, and the link stays valid', async () => {
      const { email, intruder } = await intrude();
      expect((await intruder.delete('/api/account/email')).status).toBe(204);
      const token = await undoTokenTo(world, email);
      const other = await world.signUp(nextPhone());
      await bind(world, other.agent, 'email', email);
      const before = await snapshot(world);
      expect(refusal(await undo(token))).toEqual([409, 'identifier_taken']);
      expect(await snapshot(world)).toEqual(before);
      expect((await other.agent.delete('/api/account/email')).status).toBe(204);
      expect((await undo(token)).status).toBe(200);
      expect(await isSignedIn(intruder)).toBe(false);
    });

    test('no link is sent when a code proved the removed identifier or one of the same age', async () => {
      const { email, phone } = await intrude();
      const { agent } = await signInByCode(email);
      expect((await agent.delete('/api/account/phone')).status).toBe(204);
      await expect(undoTokenTo(world, phone)).rejects.toThrow('no link');
      expect((await world.lastMessageTo(phone)).text).toContain('/findbackPWD');
      await bind(world, agent, 'phone', nextPhone());
      expect((await agent.delete('/api/account/email')).status).toBe(204);
      await expect(undoTokenTo(world, email)).rejects.toThrow('no link');
    });

    test('a link expires after 72 hours', async () => {
      const { email, intruder } = await intrude();
      expect((await intruder.delete('/api/account/email')).status).toBe(204);
      const token = await undoTokenTo(world, email);
      await passTheWait(world);
      expect(refusal(await look(token))).toEqual([404, 'not_found']);
      expect(refusal(await undo(token))).toEqual([404, 'not_found']);
      await world.sweep();
      const left = world.db.selectFrom('identifier_change').select('id').where('value', '=', email);
      expect(await left.execute()).toEqual([]);
    });
  });

  describe('an e-mail that its owner replaces', () => {
    /** An intruder binds a phone; then the owner changes the e-mail, by a code to the old one. */
    const replaceAfterIntruder = async (how: 'at once' | 'removed first') => {
      const { email, phone } = await intrude();
      shiftSeconds += 1;
      const { agent: owner } = await signInByCode(email);
      const next = nextEmail();
      if (how === 'removed first') expect((await owner.delete('/api/account/email')).status).toBe(204);
      await bind(world, owner, 'email', next);
      await expect(undoTokenTo(world, email)).rejects.toThrow('no link');
      const { agent: intruder } = await signInByCode(phone);
      return { owner, intruder, email, next, phone };
    };

    test.each(['at once', 'removed first'] as const)(
      '%s, is as old as the one before: a phone bound between them cannot take it',
      async (how) => {
        const { owner, intruder, next, phone } = await replaceAfterIntruder(how);
        expect(refusal(await intruder.delete('/api/account/email'))).toEqual([403, 'step_up_required']);
        const other = nextEmail();
        const code = await world.receiveCode(intruder, other, 'bind');
        expect(refusal(await putIdentifier(intruder, 'email', other, code))).toEqual([
          403,
          'step_up_required',
        ]);
        expect((await intruder.delete('/api/account/email?wait=true')).status).toBe(202);
        expect((await undo(await undoTokenTo(world, next))).status).toBe(200);
        expect(await isSignedIn(owner)).toBe(false);
        expect((await recover(next, { dropIdentifiers: ['phone'] })).status).toBe(204);
        expect(await ownersOf(phone)).toEqual([]);
        expect(await ownersOf(next)).toHaveLength(1);
      },
    );

    test('cannot be dropped at once by a recovery with that phone', async () => {
      const { next, phone } = await replaceAfterIntruder('at once');
      const { agent, ticket, identifiers } = await proveRecovery(phone);
      expect(identifiers).toMatchObject([{ kind: 'email', waits: true }]);
      const json = { ticket, password: NEW_PASSWORD, dropIdentifiers: ['email'] };
      expect((await agent.post('/api/recovery/password', json)).status).toBe(204);
      expect(await ownersOf(next)).toHaveLength(1);
      expect((await look(await undoTokenTo(world, next))).status).toBe(200);
    });

    test('is younger than the phone if a password alone, or another session, replaced it', async () => {
      const { email, intruder, phone } = await intrude();
      shiftSeconds += 1;
      await bind(world, intruder, 'email', nextEmail());
      const { agent } = await signInByCode(phone);
      expect((await agent.delete('/api/account/email')).status).toBe(204);
      expect((await look(await undoTokenTo(world, email))).status).toBe(200);

      const { email: given, phone: kept } = await intrude();
      shiftSeconds += 1;
      const { agent: owner } = await signInByCode(given);
      expect((await owner.delete('/api/account/email')).status).toBe(204);
      const { agent: stranger } = await signInByCode(kept);
      await bind(world, stranger, 'email', nextEmail());
      expect((await stranger.delete('/api/account/email')).status).toBe(204);
    });
  });

  test('of two identifiers bound at the same time, a link restores the one that a code to the other removed', async () => {
    const { email, phone } = await intrude();
    await world.db
      .updateTable('account_identifier')
      .set({ verified_at: new Date(Date.now() - 60_000) })
      .where('value', 'in', [email, phone])
      .execute();
    const { agent } = await signInByCode(phone);
    expect((await agent.delete('/api/account/email')).status).toBe(204);
    expect((await undo(await undoTokenTo(world, email))).status).toBe(200);
    expect(await ownersOf(email)).toHaveLength(1);
  });

  describe('a change that waits', () => {
    /** The owner has lost the older contact: only a code to it, or a wait of 72 hours, removes it. */
    const signInWithYounger = async () => {
      const { email, phone } = await intrude();
      const { agent } = await signInByCode(phone);
      return { agent, email, phone };
    };

    test('is carried out after 72 hours, with a notice to each contact', async () => {
      const { agent, email, phone } = await signInWithYounger();
      expect((await agent.delete('/api/account/email?wait=true')).status).toBe(202);
      expect(await world.carryOutChanges()).toBe(0);
      await passTheWait(world);
      const carried = await Promise.all([world.carryOutChanges(), world.carryOutChanges()]);
      expect(carried.sort()).toEqual([0, 1]);
      expect(await readAccount(agent)).not.toHaveProperty('email');
      expect(await readAccount(agent)).not.toHaveProperty('changes');
      for (const to of [email, phone]) expect((await noticesTo(to)).at(-1)).toBe('email_unbound');
      expect(refusal(await look(await undoTokenTo(world, email)))).toEqual([404, 'not_found']);
    });

    test('binds a new identifier that was proven when the change was requested', async () => {
      const { agent, email } = await signInWithYounger();
      const added = nextEmail();
      const code = await world.receiveCode(agent, added, 'bind');
      const accepted = await agent.request('PUT', '/api/account/email', {
        json: { email: added, code, wait: true },
      });
      expect([accepted.status, accepted.json()]).toMatchObject([
        202,
        { email, changes: [{ kind: 'email', identifier: added }] },
      ]);
      expect(await noticesTo(added)).toEqual([]);
      expect((await look(await undoTokenTo(world, email))).json()).toMatchObject({
        replacement: `${added[0]}•••@example.com`,
      });
      await passTheWait(world);
      expect(await world.carryOutChanges()).toBe(1);
      expect((await readAccount(agent)).email).toBe(added);
      expect(await noticesTo(added)).toEqual(['email_changed']);
    });

    test.skipIf(!testDatabaseUrl)(
      'ends without effect where another account takes the new identifier meanwhile',
      async () => {
        const { agent, email, phone } = await signInWithYounger();
        const taken = nextEmail();
        const code = await world.receiveCode(agent, taken, 'bind');
        const json = { email: taken, code, wait: true };
        expect((await agent.request('PUT', '/api/account/email', { json })).status).toBe(202);
        await passTheWait(world);
        const other = await world.signUp(nextPhone());
        const [account_id = ''] = await ownersOf(other.identifier);
        const told = async () => [await noticesTo(email), await noticesTo(phone), await noticesTo(taken)];
        const before = [await told(), (await agent.get('/api/activity')).json()];
        const carried = await world.db.transaction().execute(async (trx) => {
          // As a registration does it: under no lock of the value.
          const row = {
            kind: 'email',
            value: taken,
            display: taken,
            account_id,
            verified_at: new Date(),
          } as const;
          await trx.insertInto('account_identifier').values(row).execute();
          const carrying = world.carryOutChanges();
          await untilLockWaits(world.db);
          return { carrying };
        });
        expect(await carried.carrying).toBe(0);
        expect([await ownersOf(email), await ownersOf(phone)]).toEqual([
          [expect.any(String)],
          [expect.any(String)],
        ]);
        expect(await ownersOf(taken)).toEqual([account_id]);
        expect(await readAccount(agent)).not.toHaveProperty('changes');
        expect([await told(), (await agent.get('/api/activity')).json()]).toEqual(before);
        expect(await world.carryOutChanges()).toBe(0);
      },
    );

    test('requested again, keeps its date and sends no second notice; another change replaces it', async () => {
      const { agent, email } = await signInWithYounger();
      await agent.delete('/api/account/email?wait=true');
      const first = await undoTokenTo(world, email);
      const told = (await noticesTo(email)).length;
      expect((await agent.delete('/api/account/email?wait=true')).status).toBe(202);
      expect(await noticesTo(email)).toHaveLength(told);
      const added = nextEmail();
      const code = await world.receiveCode(agent, added, 'bind');
      const json = { email: added, code, wait: true };
      expect((await agent.request('PUT', '/api/account/email', { json })).status).toBe(202);
      expect((await readAccount(agent)).changes).toHaveLength(1);
      expect(refusal(await look(first))).toEqual([404, 'not_found']);
      expect((await look(await undoTokenTo(world, email))).status).toBe(200);
    });

    test('is cancelled by its own account only', async () => {
      const { agent, email } = await signInWithYounger();
      const stranger = await world.signUp();
      await agent.delete('/api/account/email?wait=true');
      const [{ id }] = (await readAccount(agent)).changes;
      const path = `/api/account/changes/${id}`;
      expect(refusal(await stranger.agent.delete(path))).toEqual([404, 'not_found']);
      expect(refusal(await world.browser().delete(path))).toEqual([401, 'not_signed_in']);
      expect((await agent.delete(path)).status).toBe(204);
      expect(refusal(await agent.delete(path))).toEqual([404, 'not_found']);
      expect(refusal(await look(await undoTokenTo(world, email)))).toEqual([404, 'not_found']);
      await passTheWait(world);
      expect(await world.carryOutChanges()).toBe(0);
    });

    test('happens at once if the proof allows it, and voids the waiting change', async () => {
      const { agent, email } = await signInWithYounger();
      await agent.delete('/api/account/email?wait=true');
      await stepUpByCode(agent, email);
      expect((await agent.delete('/api/account/email?wait=true')).status).toBe(204);
      expect(await readAccount(agent)).not.toHaveProperty('changes');
      expect(await ownersOf(email)).toEqual([]);
    });

    test.each(['removes nothing that is the last', 'binds nothing that another account has'])(
      'when its time comes it %s',
      async (what) => {
        const { agent, email, phone } = await signInWithYounger();
        if (what.includes('last')) {
          await agent.delete('/api/account/email?wait=true');
          const { agent: owner } = await signInByCode(email);
          expect((await owner.delete('/api/account/phone')).status).toBe(204);
        } else {
          const added = nextEmail();
          const code = await world.receiveCode(agent, added, 'bind');
          await agent.request('PUT', '/api/account/email', { json: { email: added, code, wait: true } });
          await world.signUp(added);
        }
        await passTheWait(world);
        expect(await world.carryOutChanges()).toBe(0);
        expect(await ownersOf(email)).toHaveLength(1);
        const left = world.db.selectFrom('identifier_change').select('id').where('value', '=', email);
        expect(await left.execute()).toEqual([]);
        expect(await ownersOf(phone)).toHaveLength(what.includes('last') ? 0 : 1);
      },
    );

    test('is refused without a step-up, for the last identifier, and with an identifier that is taken', async () => {
      const { agent } = await signInWithYounger();
      const taken = await world.signUp();
      const code = await world.receiveCode(agent, taken.identifier, 'bind');
      const json = { email: taken.identifier, code, wait: true };
      expect(refusal(await agent.request('PUT', '/api/account/email', { json }))).toEqual([
        409,
        'identifier_taken',
      ]);
      shiftSeconds += 601;
      expect(refusal(await agent.delete('/api/account/email?wait=true'))).toEqual([403, 'step_up_required']);
      shiftSeconds = 0;
      const alone = await world.signUp();
      expect(refusal(await alone.agent.delete('/api/account/email?wait=true'))).toEqual([
        409,
        'last_identifier',
      ]);
      expect(refusal(await alone.agent.delete('/api/account/email?wait=yes'))).toEqual([
        400,
        'invalid_request',
      ]);
    });
  });

  describe('changes of one session', () => {
    const NOTICES = { hour: 10, day: 20 };
    const times = (count: number, status: number) => Array<number>(count).fill(status);
    const noticeCount = async (to: string) => (await noticesTo(to)).length;

    test('include few new passwords an hour and a day, so that contacts are not flooded; recovery still works', async () => {
      const { email, intruder, phone } = await intrude();
      const told = await noticeCount(phone);
      const set = async (count: number) => {
        const answers: number[] = [];
        for (let index = 0; index < count; index += 1)
          answers.push((await putPassword(intruder, `intruder${10 + index}`)).status);
        return answers;
      };
      // Binding the phone was the first change.
      expect(await set(NOTICES.hour + 1)).toEqual([...times(NOTICES.hour - 1, 204), 429, 429]);
      const refused = await putPassword(intruder, 'intruder99');
      expect(refusal(refused)).toEqual([429, 'rate_limited']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
      expect(await noticeCount(phone)).toBe(told + NOTICES.hour - 1);
      await world.db.deleteFrom('rate_limit').where('key', 'like', 'account.change.hour %').execute();
      expect(await set(NOTICES.hour)).toEqual(times(NOTICES.hour, 204));
      await world.db.deleteFrom('rate_limit').where('key', 'like', 'account.change.hour %').execute();
      expect(await set(1)).toEqual([429]);
      expect(await noticeCount(phone)).toBe(told + NOTICES.day - 1);
      expect((await recover(email, { dropIdentifiers: ['phone'] })).status).toBe(204);
      expect(await ownersOf(phone)).toEqual([]);
    });

    test('include few waiting changes, cancelled and requested again; the last link stays valid', async () => {
      const { email, phone } = await intrude();
      const { agent } = await signInByCode(phone);
      const answers: number[] = [];
      for (let index = 0; index < NOTICES.hour; index += 1) {
        answers.push((await agent.delete('/api/account/email?wait=true')).status);
        const [change] = (await readAccount(agent)).changes ?? [];
        if (change && index < NOTICES.hour - 2) await agent.delete(`/api/account/changes/${change.id}`);
      }
      // The last change waits; requesting it again sends no notice, and so is not counted.
      expect(answers).toEqual(times(NOTICES.hour, 202));
      expect((await noticesTo(email)).filter((one) => one === 'email_unbind_waits')).toHaveLength(
        NOTICES.hour - 1,
      );
      expect((await look(await undoTokenTo(world, email))).status).toBe(200);
      const [{ id }] = (await readAccount(agent)).changes;
      await agent.delete(`/api/account/changes/${id}`);
      expect(refusal(await agent.delete('/api/account/email?wait=true'))).toEqual([429, 'rate_limited']);
      const other = nextEmail();
      const code = await world.receiveCode(agent, other, 'bind');
      const json = { email: other, code, wait: true };
      expect(refusal(await agent.request('PUT', '/api/account/email', { json }))).toEqual([
        429,
        'rate_limited',
      ]);
      // The code is still valid after the hour.
      await world.db.deleteFrom('rate_limit').where('key', 'like', 'account.change.%').execute();
      expect((await agent.request('PUT', '/api/account/email', { json })).status).toBe(202);
    });

    test('use up the budget of SMS with their notices, which are sent even when the budget is spent', async () => {
      const { intruder, phone } = await intrude();
      const sms = () =>
        world.db
          .selectFrom('rate_limit')
          .select('hits')
          .where('key', '=', 'code.day.sms')
          .executeTakeFirstOrThrow();
      const { hits } = await sms();
      expect((await putPassword(intruder, 'intruder77')).status).toBe(204);
      expect((await sms()).hits).toBe(hits + 1);
      const budget = { hits: 10_000_000 };
      await world.db.updateTable('rate_limit').set(budget).where('key', '=', 'code.day.sms').execute();
      expect((await putPassword(intruder, 'intruder78')).status).toBe(204);
      expect((await noticesTo(phone)).filter((one) => one === 'password_changed')).toHaveLength(2);
      await world.db.deleteFrom('rate_limit').where('key', '=', 'code.day.sms').execute();
    });
  });

  test('an identifier proven again keeps its age', async () => {
    const { agent, identifier } = await world.signUp(nextEmail());
    const boundAt = () =>
      world.db
        .selectFrom('account_identifier')
        .select('verified_at')
        .where('value', '=', identifier)
        .execute();
    const before = await boundAt();
    shiftSeconds += 5;
    await bind(world, agent, 'email', identifier);
    expect(await boundAt()).toEqual(before);
  });

  test('a session of an earlier release, without a record of its proof, cannot remove a bound identifier', async () => {
    const { agent, identifier } = await world.signUp();
    await bind(world, agent, 'phone', nextPhone());
    await world.db.updateTable('session').set({ proven_by: null }).execute();
    expect(refusal(await agent.delete('/api/account/phone'))).toEqual([403, 'step_up_required']);
    await stepUpByCode(agent, identifier);
    expect((await agent.delete('/api/account/phone')).status).toBe(204);
  });

  test.each(['', 'x', 'x'.repeat(43), 'x'.repeat(129)])(
    'a link made up (%j) opens nothing',
    async (token) => {
      for (const answer of [await look(token), await undo(token)])
        expect([400, 404]).toContain(answer.status);
    },
  );

  test('the page of the link works without a session', async () => {
    const { status, headers } = await world.browser().get('/undo');
    expect(status).toBe(200);
    expect(headers['referrer-policy']).toBe('no-referrer');
  });
});

describe('a contact that comes back to an account of another system', () => {
  let world: World;
  let asked: string[] = [];
  const old = createServer(async (request, answer) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push(JSON.parse(body).identifier);
    answer.end(JSON.stringify({ valid: false }));
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve));
    world = await createWorld({
      env: {
        LEGACY_SIGN_IN_URL: `http://127.0.0.1:${(old.address() as AddressInfo).port}/check`,
        LEGACY_SIGN_IN_SECRET: randomBytes(32).toString('base64'),
      },
    });
  });
  afterAll(async () => {
    old.close();
    await world.close();
  });

  const timesOf = (value: string) =>
    world.db
      .selectFrom('account_identifier')
      .select(['account_id', 'verified_at', 'bound_since'])
      .where('value', '=', value)
      .executeTakeFirstOrThrow();

  /** An account whose contacts were imported; its phone is replaced by two others, one after the other. */
  const replaceTwice = async () => {
    const { agent, identifier: email } = await world.signUp(nextEmail());
    const phones = [nextPhone(), nextPhone(), nextPhone()] as const;
    await bind(world, agent, 'phone', phones[0]);
    const { account_id } = await timesOf(email);
    const imported = new Date(Date.now() - 10 * 86_400_000);
    await world.db
      .updateTable('account_identifier')
      .set({ verified_at: imported })
      .where('account_id', '=', account_id)
      .execute();
    await world.db
      .updateTable('password')
      .set({ hash: '$legacy$', changed_at: imported })
      .where('account_id', '=', account_id)
      .execute();
    await proveByCode(world, agent, email);
    await bind(world, agent, 'phone', phones[1]);
    const first = await timesOf(phones[1]);
    await bind(world, agent, 'phone', phones[2]);
    return { agent, email, phones, imported, first };
  };

  test('PW15: and was bound here is not named to that system', async () => {
    const { agent, email, phones, imported, first } = await replaceTwice();
    await bind(world, agent, 'phone', phones[1]);
    expect(await timesOf(phones[1])).toEqual(first);
    expect(first.bound_since).toEqual(imported);
    asked = [];
    const stranger = world.browser();
    const { uid } = await start(world, { agent: stranger, parameters: { prompt: 'login' } });
    const json = { identifier: phones[1], password: PASSWORD };
    expect((await stranger.post(`/interaction/${uid}/login`, json)).status).toBe(401);
    expect(asked).toEqual([email]);
  });

  test('by the link of a notice has the times that it had', async () => {
    const { phones, first } = await replaceTwice();
    const token = await undoTokenTo(world, phones[1]);
    expect((await world.browser().post('/api/undo', { token })).status).toBe(200);
    expect(await timesOf(phones[1])).toEqual(first);
  });

  test('after a change of an earlier release counts as verified when it comes back, and keeps its age', async () => {
    const { agent, phones, imported, first } = await replaceTwice();
    await world.db.updateTable('identifier_change').set({ verified_at: null }).execute();
    await bind(world, agent, 'phone', phones[1]);
    const { verified_at, bound_since } = await timesOf(phones[1]);
    expect(bound_since).toEqual(imported);
    expect(verified_at.getTime()).toBeGreaterThan(first.verified_at.getTime());
  });
});
