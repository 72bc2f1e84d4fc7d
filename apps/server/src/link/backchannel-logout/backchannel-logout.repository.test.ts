import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { sweep } from '../../operation/sweep.ts';
import { logoutsOfSessions } from './backchannel-logout.repository.ts';

const DAY_MS = 86_400_000;

describeOnDatabases('ended sessions', (connection) => {
  beforeAll(async () => {
    const { db } = connection;
    const at = new Date();
    await db
      .insertInto('account')
      .values({ id: 'ada', nickname: 'ada', locale: 'en', status: 'active', created_at: at, updated_at: at })
      .execute();
    const uri = { backchannel_logout_uri: 'https://app.example/logout' };
    for (const [id, brand, metadata] of [
      ['told', null, uri],
      ['ours', 'aurelia', uri],
      ['theirs', 'borealis', uri],
      ['silent', null, {}],
    ] as const) {
      await db
        .insertInto('client')
        .values({ id, brand, metadata: JSON.stringify(metadata) })
        .execute();
    }
  }, 60_000);

  const addSession = async (uid: string, payload: object, accountId: string | null = 'ada') => {
    await connection.db
      .insertInto('session')
      .values({
        brand: 'aurelia',
        uid,
        id_hash: uid,
        account_id: accountId,
        payload: JSON.stringify(payload),
        user_agent: '',
        address: '',
        locale: 'en',
        expires_at: new Date(Date.now() + 60_000),
      })
      .execute();
  };

  test('that expired send no logout', async () => {
    await addSession('swept', { authorizations: { told: { sid: 'swept-told' } } });
    const tomorrow = new Date(Date.now() + DAY_MS);
    expect(await sweep(connection.db, tomorrow)).toBeGreaterThan(0);
    expect(await connection.db.selectFrom('session').select('uid').execute()).toEqual([]);
    expect(await connection.db.selectFrom('backchannel_logout').select('sid').execute()).toEqual([]);
  });

  test('send a logout to each client that was used in them and asked for logouts, with the session id that the client knows', async () => {
    const used = (prefix: string) =>
      Object.fromEntries(
        ['told', 'ours', 'theirs', 'silent', 'unknown'].map((id) => [id, { sid: `${prefix}-${id}` }]),
      );
    await addSession('one', { authorizations: used('one') });
    await addSession('two', { authorizations: { told: { sid: 'two-told' }, ours: {} } });
    await addSession('three', {});
    await addSession('nobody', { authorizations: used('nobody') }, null);
    await addSession('going on', { authorizations: used('going on') });
    await connection.db.transaction().execute((trx) =>
      logoutsOfSessions(trx, {
        brand: 'aurelia',
        uids: sql`cast(${['one', 'two', 'three', 'nobody']} as text[])`,
      }).execute(),
    );
    const rows = await connection.db
      .selectFrom('backchannel_logout')
      .select(['brand', 'client_id', 'account_id', 'sid', 'attempts'])
      .orderBy('sid')
      .execute();
    const row = { brand: 'aurelia', account_id: 'ada', attempts: 0 };
    expect(rows).toEqual([
      { ...row, client_id: 'ours', sid: 'one-ours' },
      { ...row, client_id: 'told', sid: 'one-told' },
      { ...row, client_id: 'told', sid: 'two-told' },
    ]);
  });
});
