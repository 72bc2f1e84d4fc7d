import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  createMigratedDatabase,
  createPostgresDatabase,
  testDatabaseUrl,
} from '../../../testing/databases.ts';
import { connect } from '../../ground/db/connect.ts';
import { findClientFault } from '../../protocol/oidc/client-faults.ts';
import { readConfig } from '../config/config.ts';
import { requireDatabaseOfServer } from './one-database.ts';
import { openDatabase, prepareOpenDatabase } from './open-database.ts';
import { findDatabaseProblems } from './start-checks.ts';

const onWait = () => undefined;

/** Two databases, of which a person may take the one for the other; the second has an empty schema. */
const withTwo = async (work: (urls: [string, string]) => Promise<void>) => {
  const made = [
    await createMigratedDatabase(testDatabaseUrl ?? ''),
    await createPostgresDatabase(testDatabaseUrl ?? ''),
  ] as const;
  try {
    await work([made[0].databaseUrl, made[1].databaseUrl]);
  } finally {
    for (const { drop } of made) await drop();
  }
};

const tablesAt = async (databaseUrl: string): Promise<number> => {
  const { db, close } = await connect({ databaseUrl, dataDir: '' });
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_class where relnamespace = current_schema()::regnamespace`.execute(db);
  await close();
  return rows[0]?.count ?? -1;
};

const env = { SECRET_KEY: 'k'.repeat(32), COOKIE_KEYS: 'c'.repeat(32) };

test.skipIf(!testDatabaseUrl)(
  'a DATABASE_DIRECT_URL that leads to another database or schema is refused, and nothing is written there',
  () =>
    withTwo(async ([one, other]) => {
      const open = async (DATABASE_URL: string, DATABASE_DIRECT_URL: string, engine = 'postgresql') => {
        const settings = { ...env, DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_ENGINE: engine };
        const config = readConfig(settings, findClientFault);
        const connection = await openDatabase(config, { onWait });
        const found = await findDatabaseProblems(config);
        const applied = prepareOpenDatabase(config, connection, { onWait });
        return { found, applied: await applied.finally(connection.close) };
      };
      const refusal = /^DATABASE_DIRECT_URL .*leads to another database, schema or server than DATABASE_URL /;
      const before = await tablesAt(other);
      for (const engine of ['postgresql', 'compatible']) {
        await expect(open(one, other, engine)).rejects.toThrow(refusal);
        await expect(open(other, one, engine)).rejects.toThrow(refusal);
      }
      const elsewhere = `${one}?options=-c%20search_path%3Dpg_catalog`;
      await expect(open(one, elsewhere)).rejects.toThrow(refusal);
      expect(await tablesAt(other)).toBe(before);
      const wrong = readConfig({ ...env, DATABASE_URL: one, DATABASE_DIRECT_URL: other }, findClientFault);
      expect(await findDatabaseProblems(wrong)).toEqual([expect.stringMatching(refusal)]);
      expect(await open(one, `${one}?application_name=direct`)).toEqual({ found: [], applied: [] });
    }),
);

test.skipIf(!testDatabaseUrl)(
  'a command is refused too, and goes on where only the pooler does not answer',
  () =>
    withTwo(async ([one, other]) => {
      const notes: string[] = [];
      const check = async (DATABASE_URL: string) => {
        const config = readConfig({ ...env, DATABASE_URL, DATABASE_DIRECT_URL: one }, findClientFault);
        const direct = await connect({ databaseUrl: one, dataDir: '', poolSize: 1 });
        await requireDatabaseOfServer(config, direct, (line) => notes.push(line)).finally(direct.close);
      };
      await expect(check(other)).rejects.toThrow(/leads to another database/);
      await check(`${one}?application_name=pooled`);
      expect(notes).toEqual([]);
      // No server listens there: port 1 is kept for a service that nobody has.
      await check('postgres://postgres@127.0.0.1:1/candela');
      expect(notes).toEqual([
        expect.stringMatching(/^DATABASE_URL postgres:.* cannot be reached: .*ECONNREFUSED.* was not asked$/),
      ]);
    }),
);

test.skipIf(!testDatabaseUrl)(
  'DATABASE_ENGINE holds for migrations past a pooler too: a compatible engine gets no triggers',
  async () => {
    const { databaseUrl, drop } = await createPostgresDatabase(testDatabaseUrl ?? '');
    const config = readConfig(
      {
        DATABASE_URL: databaseUrl,
        DATABASE_DIRECT_URL: `${databaseUrl}?application_name=direct`,
        DATABASE_ENGINE: 'compatible',
        SECRET_KEY: 'k'.repeat(32),
        COOKIE_KEYS: 'c'.repeat(32),
      },
      findClientFault,
    );
    const connection = await openDatabase(config, { onWait });
    try {
      expect(await prepareOpenDatabase(config, connection, { onWait })).toContain('0001-accounts');
      const { rows } = await sql`select tgname from pg_trigger where not tgisinternal`.execute(connection.db);
      expect(rows).toEqual([]);
    } finally {
      await connection.close();
      await drop();
    }
  },
);
