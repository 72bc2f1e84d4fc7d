import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from './db/connect.ts';
import { openTestDatabases } from './db/testing.ts';
import { sweep } from './sweep.ts';

describe.each(openTestDatabases())('the sweep on $name', ({ open }) => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await open();
  });
  afterAll(() => connection.close());

  test('deletes what has expired, batch after batch, and leaves what lives', async () => {
    const { db } = connection;
    await sql`
      insert into session (brand, uid, id_hash, payload, user_agent, address, locale, expires_at)
      select 'aurelia', 'dead' || n, 'dead' || n, '{}', '', '', 'en', now() - interval '1 hour'
      from generate_series(1, 1200) as n`.execute(db);
    await sql`
      insert into session (brand, uid, id_hash, payload, user_agent, address, locale, expires_at)
      values ('aurelia', 'alive', 'alive', '{}', '', '', 'en', now() + interval '1 hour')`.execute(db);

    expect(await sweep(db, new Date())).toBe(1200);
    const left = await db.selectFrom('session').select('uid').execute();
    expect(left).toEqual([{ uid: 'alive' }]);
  });
});
