import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabases } from '../../testing/databases.ts';
import type { Connection } from '../db/connect.ts';
import { deleteLease, upsertLease } from './lease.repository.ts';

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
});
