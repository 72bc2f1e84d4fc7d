import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteQueryNode, RawNode, sql } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { deleteLease, upsertLease } from '../ground/lease/lease.repository.ts';
import { createLogger } from '../ground/logger.ts';
import { every } from '../ground/loop/every.ts';
import { createSweepTurn, sweep } from './sweep.ts';

const logger = createLogger('silent');

/** None is swept: one has a row for each name of a task, the others show which secrets and tokens ended. */
const kept = ['client_secret', 'lease', 'registration_token'];

/** The loops of their queues delete what is over. */
const queued = ['message', 'backchannel_logout'];

/** The tables of all that `expiringRows` makes in the sources. */
const declaredTables = (): string[] => {
  const root = join(import.meta.dirname, '..');
  return globSync('**/*.repository.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/expiringRows\(\{[^}]*\btable: '(\w+)'/g)].map(
      ([, table = '']) => table,
    ),
  );
};

describeOnDatabases('the sweep', (connection) => {
  beforeEach(async () => {
    const { db } = connection;
    await db.deleteFrom('session').execute();
    await sql`
      insert into session (brand, uid, id_hash, payload, user_agent, address, locale, expires_at)
      select 'aurelia', 'dead' || n, 'dead' || n, '{}', '', '', 'en', now() - n * interval '1 hour'
      from generate_series(1, 1200) as n`.execute(db);
    await sql`
      insert into session (brand, uid, id_hash, payload, user_agent, address, locale, expires_at)
      values ('aurelia', 'alive', 'alive', '{}', '', '', 'en', now() + interval '1 hour')`.execute(db);
  });
  const listLeft = async () =>
    (await connection.db.selectFrom('session').select('uid').execute()).map(({ uid }) => uid);

  test('deletes expired rows, batch after batch, and leaves live rows', async () => {
    expect(await sweep(connection.db, new Date())).toBe(1200);
    expect(await listLeft()).toEqual(['alive']);
  });

  test('keeps a spent code for an hour, so that a repeated redemption is recognised', async () => {
    const { db } = connection;
    await sql`
      insert into account (id, nickname, locale, status, created_at, updated_at)
      values ('ada', 'ada', 'en', 'active', now(), now())`.execute(db);
    await sql`
      insert into authorization_grant
        (brand, id, account_id, client_id, scope, payload, user_agent, address, locale, expires_at)
      values ('aurelia', 'grant', 'ada', 'app', '', '{}', '', '', 'en', now() + interval '1 day')`.execute(
      db,
    );
    await sql`
      insert into authorization_code (brand, id_hash, account_id, client_id, grant_id, payload, expires_at)
      select 'aurelia', 'ended' || n, 'ada', 'app', 'grant', '{}', now() - n * interval '1 minute'
      from unnest(array[58, 62]) as n`.execute(db);
    await sweep(db, new Date());
    const codes = await db.selectFrom('authorization_code').select('id_hash').execute();
    expect(codes).toEqual([{ id_hash: 'ended58' }]);
  });

  test('grows its batches with the backlog while they are quick', async () => {
    await sql`
      insert into session (brand, uid, id_hash, payload, user_agent, address, locale, expires_at)
      select 'aurelia', 'more' || n, 'more' || n, '{}', '', '', 'en', now() - interval '1 hour'
      from generate_series(1, 5000) as n`.execute(connection.db);
    let batches = 0;
    const mayGoOn = () => ++batches > 0;
    const clock = () => 0;
    expect(await sweep(connection.db, new Date(), { mayGoOn, clock })).toBe(6200);
    // Batches of twenty rows each would be 310.
    expect(batches).toBeLessThan(100);
  });

  test('finds expired rows by an index, in every table that it sweeps', async () => {
    const { rows } = await sql<{ name: string }>`
      select held.attrelid::regclass::text as name
      from pg_attribute as held join pg_class as owner on owner.oid = held.attrelid
      where held.attname = 'expires_at' and owner.relkind = 'r' and not exists (
        select from pg_index where indrelid = held.attrelid and indkey[0] = held.attnum
      )`.execute(connection.db);
    expect(rows.map(({ name }) => name).toSorted()).toEqual(kept);
  });

  test('deletes from every table that declares when its rows end, and from every other whose rows expire', async () => {
    const { db } = connection;
    const swept: string[] = [];
    const watched = db.withPlugin({
      // Statements of transactions pass here too.
      transformQuery: ({ node }) => {
        const isDeletion =
          DeleteQueryNode.is(node) ||
          (RawNode.is(node) && /^\s*delete from /.test(node.sqlFragments[0] ?? ''));
        const [, table] =
          /"identifier":\{"kind":"IdentifierNode","name":"(\w+)"/.exec(JSON.stringify(node)) ?? [];
        if (isDeletion && table) swept.push(table);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    await sweep(watched, new Date());
    const { rows } = await sql<{ name: string }>`
      select attrelid::regclass::text as name from pg_attribute as held join pg_class as owner on owner.oid = attrelid
      where attname = 'expires_at' and owner.relkind = 'r'`.execute(db);
    const expiring = rows.map(({ name }) => name).filter((name) => ![...kept, ...queued].includes(name));
    expect(declaredTables()).not.toEqual([]);
    for (const name of [...declaredTables(), ...expiring]) expect(swept).toContain(name);
  });

  test('stops between two batches on request, after deleting the oldest rows', async () => {
    const mayGoOn = async () => (await listLeft()).length > 1000;
    const gone = await sweep(connection.db, new Date(), { mayGoOn });
    expect(gone).toBeGreaterThan(200);
    expect(gone).toBeLessThan(1200);
    expect((await listLeft()).toSorted()).toEqual(
      ['alive', ...Array.from({ length: 1200 - gone }, (_, index) => `dead${index + 1}`)].toSorted(),
    );
  });

  test('pauses between two batches, and ends the pause when it is stopped', async () => {
    const stopping = new AbortController();
    const pace = { share: 1e-5, signal: stopping.signal };
    const sweeping = sweep(connection.db, new Date(), pace);
    await vi.waitFor(async () => expect(await listLeft()).toHaveLength(1181), 120_000);
    stopping.abort();
    expect(await sweeping).toBe(20);
  });

  test('repeats by itself in one process at a time, and passes its lease to the next', async () => {
    const { db } = connection;
    const other = { name: 'sweep', holder: 'another process' };
    await upsertLease(db, { ...other, seconds: 60 });
    const tried = vi.spyOn(db, 'insertInto');
    const sweeping = every(0.001, createSweepTurn(db, logger), { onFailure: () => undefined });
    await vi.waitFor(() => expect(tried.mock.calls.length).toBeGreaterThan(2), 10_000);
    expect(await listLeft()).toHaveLength(1201);
    await deleteLease(db, other);
    await vi.waitFor(async () => expect(await listLeft()).toEqual(['alive']), 30_000);
    await sweeping.stop();
    tried.mockRestore();
    expect(await db.selectFrom('lease').selectAll().execute()).toEqual([]);
  }, 60_000);
});
