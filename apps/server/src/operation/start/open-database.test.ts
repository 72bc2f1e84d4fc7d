import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createPostgresDatabase, testDatabaseUrl } from '../../../testing/databases.ts';
import { findClientFault } from '../../protocol/oidc/client-faults.ts';
import { readConfig } from '../config/config.ts';
import { openDatabase, prepareOpenDatabase } from './open-database.ts';

const onWait = () => undefined;

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
