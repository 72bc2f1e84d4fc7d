import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { upsertLease } from '../../ground/lease/lease.repository.ts';
import { isOnTheMove, linksLease } from './moving.ts';

describeOnDatabases('an import of links', (connection) => {
  const mayCome = () => isOnTheMove(connection.db, { brand: 'aurelia', idHash: 'unknown' });
  const run = (work: () => Promise<string>) => linksLease(connection.db).hold(work);
  const fail = () =>
    expect(run(() => Promise.reject(new Error('the disk is full')))).rejects.toThrow('the disk is full');
  const pass = (minutes: number) =>
    sql`update lease set expires_at = expires_at - make_interval(mins => ${minutes})`.execute(connection.db);

  test('that failed may bring tokens for another hour', async () => {
    expect(await mayCome()).toBe(false);
    await fail();
    expect(await mayCome()).toBe(true);
    await pass(59);
    expect(await mayCome()).toBe(true);
    await pass(1);
    expect(await mayCome()).toBe(false);
  });

  test('that was killed may bring tokens for another hour', async () => {
    await sql`delete from lease`.execute(connection.db);
    await upsertLease(connection.db, { name: 'links', holder: 'killed', seconds: 60 });
    await pass(60);
    expect(await mayCome()).toBe(true);
    await pass(1);
    expect(await mayCome()).toBe(false);
  });

  test('that failed is started again at once, and is over when a run completes', async () => {
    await fail();
    await fail();
    expect(await run(async () => ((await mayCome()) ? 'under way' : 'over'))).toBe('under way');
    expect(await mayCome()).toBe(false);
  });
});
