import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { codeOf, createTestIdentity } from '../../../testing/identity.ts';
import { builtInBrands } from '../../branding/brand/built-in.ts';
import { createOpaqueToken } from '../../ground/opaque-token.ts';
import { sweep } from '../../operation/sweep.ts';
import { createPasswordHasher } from '../credential/password-hasher.ts';
import type { CurrentSession } from '../session/session.service.ts';
import { insertStepUp, stepUpRows } from './step-up.repository.ts';
import { createStepUpService } from './step-up.service.ts';

describeOnDatabases('step-ups', (connection) => {
  beforeAll(async () => {
    for (const uid of ['one', 'two'])
      await sql`
        insert into session (brand, uid, id_hash, payload, user_agent, address, locale, expires_at)
        values ('aurelia', ${uid}, ${uid}, '{}', '', '', 'en', now() + interval '1 day')`.execute(
        connection.db,
      );
  }, 60_000);

  const at = new Date();
  const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);
  const key = { token_hash: 'hash', brand: 'aurelia', session_uid: 'one', proven_by: 'password' };

  test('a step-up is found in its own session until it expires', async () => {
    const { db } = connection;
    expect(await insertStepUp(db, { ...key, expires_at: later(600) })).toBe(true);
    const own = { brand: 'aurelia', session_uid: 'one', token_hash: ['other', 'hash'] };
    expect(await stepUpRows.list(db, own, later(599))).toMatchObject([key]);
    expect(await stepUpRows.list(db, own, later(600))).toEqual([]);
    for (const other of [{ token_hash: ['other'] }, { session_uid: 'two' }, { brand: 'lumora' }])
      expect(await stepUpRows.list(db, { ...own, ...other }, at)).toEqual([]);
  });

  test('no step-up is made in a session that has ended', async () => {
    const gone = { ...key, token_hash: 'gone', expires_at: later(600) };
    expect(await insertStepUp(connection.db, { ...gone, session_uid: 'nobody' })).toBe(false);
    expect(await insertStepUp(connection.db, { ...gone, brand: 'lumora' })).toBe(false);
  });

  test('each outcome logs an event with account, method and reason only', async () => {
    const world = createTestIdentity(connection.db);
    const { id: accountId } = await world.signUp('ada@example.com');
    const { passwordLimits, passkeyProofs, verification, events } = world;
    const hasher = createPasswordHasher({ concurrency: 1, maxQueue: 10 });
    const now = () => world.clock.at;
    const service = createStepUpService({
      db: connection.db,
      verification,
      secondFactors: world.secondFactors,
      recoveryWaits: world.recoveryWaits,
      passkeyProofs,
      hasher,
      passwordLimits,
      events,
      now,
    });
    const current = { brand: 'aurelia', uid: 'one', accountId } as CurrentSession;
    const origin = 'https://id.aurelia.example';
    const brand = { ...builtInBrands[0], origin, rpId: 'id.aurelia.example' };
    const caller = { browserId: createOpaqueToken(), address: '192.0.2.1', brand };
    const before = events.all.length;
    await codeOf(service.stepUp(current, { ...caller, password: 'wrong42day' }));
    await service.stepUp(current, { ...caller, password: 'sunny42day' });
    const said = { accountId, brand: 'aurelia', method: 'password' };
    expect(events.all.slice(before)).toEqual([
      { event: 'step_up.refused', ...said, reason: 'invalid_credentials' },
      { event: 'step_up.succeeded', ...said },
    ]);
    await connection.db.deleteFrom('step_up').execute();
    await insertStepUp(connection.db, { ...key, expires_at: later(600) });
  });

  test('a step-up is deleted with its session, and swept when it has expired', async () => {
    const { db } = connection;
    await insertStepUp(db, { ...key, token_hash: 'second', session_uid: 'two', expires_at: later(600) });
    await db.deleteFrom('session').where('uid', '=', 'two').execute();
    const hashes = () => db.selectFrom('step_up').select('token_hash').execute();
    expect(await hashes()).toEqual([{ token_hash: 'hash' }]);
    await sweep(db, later(599));
    expect(await hashes()).toEqual([{ token_hash: 'hash' }]);
    await sweep(db, later(601));
    expect(await hashes()).toEqual([]);
  });
});
