import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { deleteLease, upsertLease } from './lease.repository.ts';
import { createLease } from './lease.ts';

describeOnDatabases('a lease', (connection) => {
  const take = (holder: string, seconds = 60) =>
    upsertLease(connection.db, { name: 'work', holder, seconds });

  test('has one holder, who may renew it, until its release or its end', async () => {
    expect(await take('one')).toBe(true);
    expect([await take('two'), await take('one', 0)]).toEqual([false, true]);
    expect([await take('two'), await take('one')]).toEqual([true, false]);
    await deleteLease(connection.db, { name: 'work', holder: 'one' });
    expect(await take('one')).toBe(false);
    await deleteLease(connection.db, { name: 'work', holder: 'two' });
    expect(await take('one')).toBe(true);
  });

  test('goes to one of many processes that ask at once', async () => {
    await connection.db.deleteFrom('lease').execute();
    const taken = await Promise.all(Array.from({ length: 20 }, (_, index) => take(`holder ${index}`)));
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  test('is held by one process while its work lasts, and released when the work fails', async () => {
    const lease = () => createLease(connection.db, { name: 'long work', seconds: 60 });
    const [mine, other] = [lease(), lease()];
    const work = Promise.withResolvers<string>();
    const begun = Promise.withResolvers<void>();
    const held = mine.hold(() => {
      begun.resolve();
      return work.promise;
    });
    await begun.promise;
    expect(await other.hold(async () => 'worked')).toBeUndefined();
    work.resolve('done');
    expect(await held).toBe('done');
    expect(await other.hold(async () => 'worked')).toBe('worked');
    await expect(other.hold(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await mine.hold(async () => 'worked')).toBe('worked');
  });

  test('is renewed by work that asks for it, and otherwise lost to another process', async () => {
    let clock = 0;
    const name = 'longer work';
    const lease = createLease(connection.db, { name, seconds: 60, now: () => clock });
    const untilEnd = async () => {
      const { rows } = await sql<{ seconds: number }>`
        select cast(extract(epoch from expires_at - now()) as double precision) as seconds
        from lease where name = ${name}`.execute(connection.db);
      return rows[0]?.seconds ?? 0;
    };
    await lease.hold(async (isHeld) => {
      await sql`update lease set expires_at = expires_at - interval '30 seconds'`.execute(connection.db);
      clock += 10_000;
      expect(await isHeld()).toBe(true);
      expect(await untilEnd()).toBeLessThan(31);
      clock += 10_000;
      expect(await isHeld()).toBe(true);
      expect(await untilEnd()).toBeGreaterThan(55);
      await sql`update lease set expires_at = now()`.execute(connection.db);
      expect(await upsertLease(connection.db, { name, holder: 'another', seconds: 60 })).toBe(true);
      clock += 20_000;
      expect(await isHeld()).toBe(false);
    });
    // The first process must not release the lease of the other.
    expect(await lease.hold(async () => 'worked')).toBeUndefined();
  });
});
