import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { ACCOUNT, insertAccount } from '../../../testing/protocol-store.ts';
import { upsertLease } from '../../ground/lease/lease.repository.ts';
import { listLeftBrands } from './moved-link.repository.ts';
import { absenceOf, linksLease } from './moving.ts';

describeOnDatabases('an import of links', (connection) => {
  const token = { brand: 'aurelia', idHash: 'unknown', homeClientId: undefined, servedBrands: ['aurelia'] };
  const mayCome = async () => (await absenceOf(connection.db, token)) === 'moving';
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

  test('a token of a brand that is not served is elsewhere, and the brand is named', async () => {
    const { db } = connection;
    await insertAccount(db);
    const of = { account_id: ACCOUNT, client_id: 'hub', payload: '{}', expires_at: sql<Date>`now()` };
    for (const brand of ['aurelia', 'of-before', 'of-long-before']) {
      const grant = { ...of, brand, id: 'grant', user_agent: '', address: '', locale: 'en', scope: '' };
      await db.insertInto('authorization_grant').values(grant).execute();
      await db
        .insertInto('refresh_token')
        .values({ ...of, brand, id_hash: brand, grant_id: 'grant' })
        .execute();
    }
    const served = { brand: 'borealis', homeClientId: undefined, servedBrands: ['aurelia', 'borealis'] };
    const absent = (idHash: string) => absenceOf(db, { ...served, idHash });
    expect(await absent('of-long-before')).toBe('elsewhere');
    expect(await absent('aurelia')).toBeUndefined();
    expect(await absent('unknown')).toBeUndefined();
    expect(await listLeftBrands(db, served.servedBrands)).toEqual(['of-before', 'of-long-before']);
  });

  test('that failed is started again at once, and is over when a run completes', async () => {
    await fail();
    await fail();
    expect(await run(async () => ((await mayCome()) ? 'under way' : 'over'))).toBe('under way');
    expect(await mayCome()).toBe(false);
  });
});
