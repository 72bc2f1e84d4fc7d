import { type Kysely, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { describeOnPostgres } from '../../../testing/describe-on-databases.ts';
import type { Database } from '../../ground/db/database.ts';
import { deleteGrants, deleteGrantsOfClient, deletionOfBoundGrants } from './grant.repository.ts';

const key = { brand: 'aurelia', uid: 'session' };

describeOnPostgres('grants that are deleted together are locked by brand and id', (connection) => {
  let db: Kysely<Database>;
  beforeAll(async () => {
    db = connection.db;
    const at = new Date();
    await db
      .insertInto('account')
      .values({ id: 'ada', nickname: 'ada', locale: 'en', status: 'active', created_at: at, updated_at: at })
      .execute();
    await db
      .insertInto('session')
      .values({
        ...key,
        id_hash: 'hash',
        account_id: 'ada',
        payload: '{}',
        user_agent: '',
        address: '',
        locale: 'en',
        expires_at: new Date(Date.now() + 60_000),
      })
      .execute();
  });

  const insertGrant = (id: string, createdAt: Date) =>
    db
      .insertInto('authorization_grant')
      .values({
        brand: 'aurelia',
        id,
        account_id: 'ada',
        client_id: 'app',
        session_uid: key.uid,
        scope: 'openid',
        payload: '{}',
        user_agent: '',
        address: '',
        locale: 'en',
        created_at: createdAt,
        expires_at: new Date(Date.now() + 60_000),
      })
      .execute();

  const isWaitedFor = async () => {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(db);
    return rows.length > 0;
  };

  test.each<[string, () => Promise<unknown>]>([
    ['an account’s', () => deleteGrants(db, 'ada')],
    ['a client’s', () => deleteGrantsOfClient(db, 'app', 10)],
    [
      'those of sessions',
      () => deletionOfBoundGrants(db, { brand: key.brand, uids: sql`array[${key.uid}]` }).execute(),
    ],
  ])('%s', async (_name, remove) => {
    // However the rows are found, the later id comes first.
    await insertGrant('later', new Date());
    await insertGrant('earlier', new Date(Date.now() - 60_000));
    let removing: Promise<unknown> | undefined;
    await db.transaction().execute(async (trx) => {
      const lock = (id: string) =>
        trx.selectFrom('authorization_grant').select('id').where('id', '=', id).forUpdate();
      await lock('earlier').execute();
      removing = remove();
      await expect.poll(isWaitedFor).toBe(true);
      expect(await lock('later').noWait().execute()).toHaveLength(1);
    });
    await removing;
    expect(await db.selectFrom('authorization_grant').select('id').execute()).toEqual([]);
  });
});
