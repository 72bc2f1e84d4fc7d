import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { createTestIdentity } from '../../../testing/identity.ts';
import { recordEvents } from '../../../testing/recorded-events.ts';
import { builtInBrands } from '../../branding/brand/built-in.ts';
import { insertIdentifier, listAccounts } from '../../person/account/account.repository.ts';
import { createPasswordHasher } from '../../person/credential/password-hasher.ts';
import { createPasswordPolicy } from '../../person/credential/password-policy.ts';
import { createRecoveryService } from '../recovery/recovery.service.ts';
import { noteChange } from './identifier-loss.ts';
import { createUndoService } from './undo.service.ts';
import { createWaitingChangeService } from './waiting-change.service.ts';

const ADA = 'ada@example.com';
const PHONE = '+8613800138000';
const brand = { ...builtInBrands[0], origin: 'https://id.aurelia.example', rpId: 'id.aurelia.example' };

describeOnDatabases('the events of getting an account back,', (connection) => {
  beforeEach(async () => {
    await connection.db.deleteFrom('account').execute();
    await connection.db.deleteFrom('rate_limit').execute();
  });

  const hasher = createPasswordHasher({ concurrency: 2, maxQueue: 10 });
  const messages = { add: async () => ({ start: async () => undefined }) };

  /** An account with an e-mail and a phone that was bound a minute later. */
  const create = async () => {
    const { db } = connection;
    const world = createTestIdentity(db);
    const { id } = await world.signUp(ADA);
    world.pass(60);
    const phone = { kind: 'phone', value: PHONE, display: PHONE, account_id: id } as const;
    await insertIdentifier(db, { ...phone, verified_at: world.clock.at });
    const events = recordEvents();
    const { recoveryWaits } = world;
    const directory = { nameOf: () => '', isEmpty: true };
    const options = { db, directory, messages, events, now: () => world.clock.at, recoveryWaits };
    const identifiers = (await listAccounts(db, [id]))[0]?.identifiers ?? [];
    return { world, id, events, options, identifiers };
  };
  const noneNamesAPerson = (events: ReturnType<typeof recordEvents>) =>
    expect(JSON.stringify(events.all)).not.toMatch(/example\.com|138001/);

  test('a recovery logs events for its beginning, its changes and its refusals', async () => {
    const { world, id, events, options } = await create();
    const recovery = createRecoveryService({
      ...options,
      secondFactors: world.secondFactors,
      secondFactorWays: world.secondFactorWays,
      verification: world.verification,
      passwordLimits: world.passwordLimits,
      passkeyProofs: world.passkeyProofs,
      refusedSignIns: { note: () => undefined },
      grants: { listLinks: async () => [] },
      hasher,
      passwordPolicy: createPasswordPolicy({ profile: 'product', brandNames: [] }),
    });
    const { browserId, address, getCode } = world.browser();
    const proof = { identifier: ADA, code: await getCode(ADA, 'recover'), browserId, address };
    const { ticket, identifiers } = await recovery.verify({ ...proof, brand });
    expect(identifiers).toMatchObject([{ kind: 'phone' }]);
    const input = {
      ticket,
      withdrawAuthorizations: false,
      dropIdentifiers: ['phone' as const],
      dropPasskeys: [],
      dropProviders: [],
      factor: {},
      browserId,
      address,
    };
    await recovery.setPassword({ ...input, password: 'short', brand }).catch(() => undefined);
    await recovery.setPassword({ ...input, password: 'starlight88', brand });
    expect(events.all).toEqual([
      { event: 'recovery.started', accountId: id, kind: 'email' },
      { event: 'recovery.refused', reason: 'password_too_short' },
      { event: 'password.recovered', accountId: id },
      { event: 'identifier.removed', accountId: id, kind: 'phone' },
    ]);
    noneNamesAPerson(events);
  });

  test('the event of an undo names the account', async () => {
    const { id, events, options, identifiers } = await create();
    const [old] = identifiers;
    if (!old) throw new Error('there is no e-mail');
    const { token } = await noteChange(connection.db, { old, waits: true, brand: brand.id });
    const undo = createUndoService(options);
    await undo.undo(token, brand);
    await expect(undo.undo(token, brand)).rejects.toMatchObject({ code: 'not_found' });
    expect(events.all).toEqual([{ event: 'identifier.change_undone', accountId: id, kind: 'email' }]);
    noneNamesAPerson(events);
  });

  test('carrying out a change logs the added and the removed identifier, and a failing change delays no other', async () => {
    const { id, events, options, identifiers } = await create();
    const [email, phone] = identifiers;
    if (!email || !phone) throw new Error('an identifier is missing');
    const next = { value: 'new@example.com', display: 'new@example.com' };
    await noteChange(connection.db, { old: email, next, waits: true, brand: brand.id });
    await noteChange(connection.db, { old: phone, waits: true, brand: brand.id });
    await connection.db
      .updateTable('identifier_change')
      .set({
        due_at: sql<Date>`now() - case when kind = 'email' then interval '1 hour' else interval '0' end`,
      })
      .execute();
    const failing = {
      add: async (_: unknown, { purpose }: { purpose: string }) => {
        if (purpose === 'email_changed') throw new Error('no room');
        return messages.add();
      },
    };
    const waiting = createWaitingChangeService({ ...options, messages: failing, brands: [brand] });
    await expect(waiting.carryOut()).rejects.toThrow('no room');
    expect(events.all).toEqual([{ event: 'identifier.removed', accountId: id, kind: 'phone' }]);
    const mended = createWaitingChangeService({ ...options, brands: [brand] });
    expect(await mended.carryOut()).toBe(1);
    expect(events.all.slice(1)).toEqual([
      { event: 'identifier.removed', accountId: id, kind: 'email' },
      { event: 'identifier.bound', accountId: id, kind: 'email' },
    ]);
    noneNamesAPerson(events);
  });
});
