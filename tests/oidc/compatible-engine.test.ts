import { randomBytes } from 'node:crypto';
import { type Connection, connect } from '@candela/server/db/connect';
import { migrate } from '@candela/server/db/migrate';
import { createPostgresDatabase, testDatabaseUrl } from '@candela/server/testing/databases';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTokenRequests } from '../support/cluster.ts';
import { allowDevice, askForCode, poll, registerDevice } from '../support/device.ts';
import { query } from '../support/postgres.ts';
import type { Answer } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';

const PARALLEL = 12;
/** A cache is read anew after 0.8 s. */
const SEEN_SECONDS = 2;

/** Taken away from the role of this test, as engines that are compatible lack them. */
const lacking = [
  'pg_advisory_lock(bigint)',
  'pg_advisory_xact_lock(bigint)',
  'pg_advisory_unlock(bigint)',
  'pg_notify(text, text)',
  'pg_current_xact_id()',
  'pg_xact_status(xid8)',
  'pg_walfile_name(pg_lsn)',
];

/** In statements. PostgreSQL takes away neither of them. */
const LISTENS = /^\s*(listen|unlisten|notify)\b/i;
const SYSTEM_COLUMNS = /\b(ctid|xmin|xmax|tableoid)\b/;
const FUNCTIONS = /create (or replace )?(function|trigger)/i;

/**
 * Counters that are hit together, a refresh token with its successor, and counts of minutes that become those of hours:
 * different rows of one table, which parts of one statement write. CockroachDB takes such a statement where a setting
 * allows it.
 */
const twice = ['rate_limit', 'refresh_token', 'service_count'];

const textOf = (first: unknown): string =>
  typeof first === 'string' ? first : String((first as { text?: unknown }).text);

/** Tables that more than one part of a statement writes; a lock is no write. */
const writtenTwice = (text: string): string[] => {
  const written = [...text.matchAll(/\b(?:insert into|delete from|(?<!for )update) "?([a-z_]+)"?/gi)].flatMap(
    ([, table = '']) => (table === 'set' ? [] : [table]),
  );
  return [...new Set(written.filter((table, index) => written.indexOf(table) !== index))];
};

describe.skipIf(!testDatabaseUrl)(
  'an engine without LISTEN, advisory locks, triggers and ctid, whose transactions are serializable',
  () => {
    const role = `candela_plain_${randomBytes(4).toString('hex')}`;
    let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
    let connection: Connection;
    let world: World;
    let applied: readonly (readonly string[])[];

    const sending = vi.spyOn(pg.Client.prototype, 'query');
    const sent = new Set<string>();
    /** Vitest forgets the calls of a spy after each test. */
    const collect = () => {
      for (const [first] of sending.mock.calls) sent.add(textOf(first));
    };

    beforeAll(async () => {
      database = await createPostgresDatabase(testDatabaseUrl ?? '');
      const { pathname } = new URL(database.databaseUrl);
      await query(
        database.databaseUrl,
        `create role ${role} login password '${role}';
         alter role ${role} set default_transaction_isolation = 'serializable';
         alter database ${pathname.slice(1)} owner to ${role};
         revoke execute on function ${lacking.join(', ')} from public;
         revoke usage on language plpgsql from public`,
      );
      const url = new URL(database.databaseUrl);
      url.username = role;
      url.password = role;
      const open = () => connect({ databaseUrl: url.href, dataDir: '', engine: 'compatible' });
      connection = await open();
      const other = await open();
      applied = await Promise.all(
        [connection, other].map(async ({ db }) => {
          const migrated = await migrate(db);
          return migrated.applied;
        }),
      );
      await other.close();
      world = await createWorld({ connection });
      collect();
    });
    afterEach(collect);
    afterAll(async () => {
      await world?.close();
      await connection?.close();
      vi.restoreAllMocks();
      await database?.drop();
      await query(testDatabaseUrl ?? '', `drop role if exists ${role}`);
    });

    test('of two processes that migrate at once, one does, and none makes a trigger', async () => {
      expect(applied.map((names) => names.length > 0).toSorted()).toEqual([false, true]);
      const { rows } = await sql<{ count: number }>`
        select cast(count(*) as integer) as count from pg_trigger where not tgisinternal`.execute(
        connection.db,
      );
      expect(rows).toEqual([{ count: 0 }]);
    });

    test('a server for PostgreSQL itself refuses a schema that was made without triggers', async () => {
      const own = await connect({ databaseUrl: database.databaseUrl, dataDir: '' });
      await expect(migrate(own.db)).rejects.toThrow('DATABASE_ENGINE must be compatible');
      await own.close();
    });

    test('a database whose transactions are repeatable reads is refused', async () => {
      const url = new URL(database.databaseUrl);
      url.searchParams.set('options', '-c default_transaction_isolation=repeatable\\ read');
      const stale = await connect({ databaseUrl: url.href, dataDir: '' });
      await expect(migrate(stale.db)).rejects.toThrow('must be read committed or serializable');
      await stale.close();
    });

    test('people register at once', async () => {
      const people = await Promise.all(Array.from({ length: PARALLEL }, () => world.signUp()));
      expect(new Set(people.map(({ identifier }) => identifier)).size).toBe(PARALLEL);
      const accounts = await connection.db.selectFrom('account').select('id').execute();
      expect(accounts).toHaveLength(PARALLEL);
    });

    test('parallel refreshes, introspections and revocations of one link are answered as on PostgreSQL', async () => {
      const { agent } = await world.signUp();
      const app = await world.registerApp();
      const { tokens } = await world.link(agent, app.rp);
      const requests = createTokenRequests(world, app);
      // Such an engine refuses transactions that meet; where one was refused too often, the app is told to try again.
      const refresh = async (): Promise<Answer> => {
        for (;;) {
          const answer = await requests.refresh(tokens.refresh_token ?? '');
          if (answer.status !== 503) return answer;
          expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
        }
      };
      const answers = await Promise.all(Array.from({ length: PARALLEL }, refresh));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const successors = new Set(answers.map((answer) => answer.json().refresh_token));
      expect(successors.size).toBe(1);
      const [successor = ''] = successors;
      expect(await requests.isActive(successor)).toBe(true);
      expect((await requests.refresh(successor)).status).toBe(200);
    });

    test('a code that is redeemed at once by many gives one set of tokens', async () => {
      const device = await registerDevice(world);
      const { agent } = await world.signUp();
      const code = await askForCode(device);
      await allowDevice(world, agent, code);
      const answers = await Promise.all(Array.from({ length: PARALLEL }, () => poll(device, code)));
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      const grants = await connection.db
        .selectFrom('authorization_grant')
        .select('id')
        .where('client_id', '=', device.clientId)
        .execute();
      expect(grants).toHaveLength(1);
    });

    test('a client that is disabled is refused by another process within two seconds', async () => {
      const { agent } = await world.signUp();
      const app = await world.registerApp();
      const { tokens } = await world.link(agent, app.rp);
      const requests = createTokenRequests(world, app);
      // By hand, as if by another process: no cache of this one is told.
      await connection.db
        .updateTable('client')
        .set({ disabled: true })
        .where('id', '=', app.clientId)
        .execute();
      await vi.waitFor(
        async () => expect((await requests.refresh(tokens.refresh_token ?? '')).status).toBe(401),
        { timeout: SEEN_SECONDS * 1_000 },
      );
    });

    test('a password is changed, sessions and approvals end, and what has expired is swept', async () => {
      const { agent, identifier } = await world.signUp();
      const app = await world.registerApp();
      await world.link(agent, app.rp);
      const { agent: other } = await world.signIn(identifier);
      const answers = [
        await agent.request('PUT', '/api/account/password', { json: { password: 'starlight88' } }),
        await agent.delete('/api/sessions?except=current'),
        await agent.delete('/api/authorizations'),
      ];
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
      expect((await other.get('/api/account')).status).toBe(401);
      for (const table of ['interaction', 'session'] as const)
        await sql`update ${sql.table(table)} set expires_at = now() - interval '2 days'`.execute(
          connection.db,
        );
      expect(await world.sweep()).toBeGreaterThan(PARALLEL);
      expect(await connection.db.selectFrom('session').select('uid').execute()).toEqual([]);
      expect(await world.sweep()).toBe(0);
    });

    test('of all statements none listens, makes a function, or names a system column', () => {
      const statements = [...sent];
      expect(statements.length).toBeGreaterThan(100);
      expect(
        statements.filter((text) => [LISTENS, SYSTEM_COLUMNS, FUNCTIONS].some((each) => each.test(text))),
      ).toEqual([]);
      expect([...new Set(statements.flatMap(writtenTwice))].toSorted()).toEqual(twice);
    });
  },
);
