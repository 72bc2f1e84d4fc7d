import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabases } from '../../testing/databases.ts';
import type { Connection } from '../db/connect.ts';
import { deleteLease, upsertLease } from './lease.repository.ts';
import { createLease } from './lease.ts';

describe.each(openTestDatabases())('a lease on $name', ({ open }) => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await open();
  }, 60_000);
  afterAll(() => connection.close());

  const take = (holder: string, seconds = 60) =>
    upsertLease(connection.db, { name: 'work', holder, seconds });

  test('has one holder, who may prolong it, until it is given back or over', async () => {
    expect(await take('one')).toBe(true);
    expect([await take('two'), await take('one', 0)]).toEqual([false, true]);
    expect([await take('two'), await take('one')]).toEqual([true, false]);
    await deleteLease(connection.db, { name: 'work', holder: 'one' });
    expect(await take('one')).toBe(false);
    await deleteLease(connection.db, { name: 'work', holder: 'two' });
    expect(await take('one')).toBe(true);
  });

  test('of many who want it at once, one gets it', async () => {
    await connection.db.deleteFrom('lease').execute();
    const taken = await Promise.all(Array.from({ length: 20 }, (_, index) => take(`holder ${index}`)));
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  test('is held for as long as the work lasts, by one process, and given back when the work fails', async () => {
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

  test('is renewed by work that asks, and lost to another process by work that did not', async () => {
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
    // What the other process holds is not given back for it.
    expect(await lease.hold(async () => 'worked')).toBeUndefined();
  });
});
