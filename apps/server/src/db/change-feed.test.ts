import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ChangeFeed, createChangeFeed } from './change-feed.ts';
import type { Connection } from './connect.ts';
import { openTestDatabases } from './testing.ts';

describe.each(openTestDatabases())('on $name', ({ name, open }) => {
  let connection: Connection;
  let feed: ChangeFeed;
  const heard: (string | undefined)[] = [];

  beforeAll(async () => {
    connection = await open();
    feed = await createChangeFeed(connection);
    feed.on('client', (key) => heard.push(key));
    await vi.waitUntil(feed.isLive);
    heard.length = 0;
  });
  afterAll(async () => {
    await feed.close();
    await connection.close();
  });

  const save = (id: string) =>
    connection.db
      .insertInto('client')
      .values({ id, metadata: '{}', first_party: false } as never)
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ first_party: true }))
      .execute();

  test('a client that is registered, changed or removed is told by its id, and nothing else is', async () => {
    await save('an:app');
    await vi.waitUntil(() => heard.length === 1);
    await save('an:app');
    await connection.db.deleteFrom('client').where('id', '=', 'an:app').execute();
    await connection.db
      .insertInto('signing_key')
      .values({ kid: 'a key', alg: 'none', status: 'previous', sealed_jwk: '' })
      .execute();
    await save('last');
    await vi.waitUntil(() => heard.includes('last'));
    expect(heard).toEqual(['an:app', 'an:app', 'an:app', 'last']);
  });

  test('what is rolled back is not told', async () => {
    heard.length = 0;
    const failing = connection.db.transaction().execute(async (trx) => {
      await trx
        .insertInto('client')
        .values({ id: 'never', metadata: '{}', first_party: false } as never)
        .execute();
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow();
    await save('after');
    await vi.waitUntil(() => heard.length > 0);
    expect(heard).toEqual(['after']);
  });

  test.runIf(name === 'postgres')(
    'a lost connection is made anew, and everything counts as changed',
    async () => {
      heard.length = 0;
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()`.execute(
        connection.db,
      );
      await vi.waitUntil(() => heard.includes(undefined), { timeout: 5_000 });
      await vi.waitUntil(feed.isLive);
      await save('anew');
      await vi.waitUntil(() => heard.includes('anew'));
    },
  );
});
