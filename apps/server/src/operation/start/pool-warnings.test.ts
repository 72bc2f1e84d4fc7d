import { expect, test } from 'vitest';
import { describeOnPostgres } from '../../../testing/describe-on-databases.ts';
import { readConnectionLimit } from '../../ground/db/connection-limit.ts';
import { startPresence } from '../secret-key/serving-process.service.ts';
import { findPoolWarnings } from './pool-warnings.ts';

const secretKeys = ['k'.repeat(40)];
const place = {
  databaseUrl: 'postgres://db/candela',
  databaseDirectUrl: 'postgres://db/candela',
};

describeOnPostgres('connections of all processes', (connection) => {
  test('are compared with those that the server takes', async () => {
    const { db } = connection;
    const limit = (await readConnectionLimit(db)) ?? 0;
    expect(limit).toBeGreaterThan(4);
    const warningsOf = (databasePool: number, workers: number, more = {}) =>
      findPoolWarnings({ ...place, databasePool, workers, ...more }, connection);
    expect(await warningsOf(limit, 1)).toEqual([]);
    expect(await warningsOf(2 * limit, 2)).toEqual([
      `DATABASE_POOL: up to ${2 * limit} connections of this server are more than the ${limit} that PostgreSQL takes. Lower DATABASE_POOL, or raise max_connections`,
    ]);
    // Through a pooler PostgreSQL sees the pooler's connections.
    expect(await warningsOf(2 * limit, 2, { databaseUrl: 'postgres://pooler/candela' })).toEqual([]);

    const logger = { debug: () => undefined } as never;
    const presence = await startPresence({ db, secretKeys, logger, version: '1.2.3' });
    expect(await warningsOf(limit, 1)).toEqual([
      `DATABASE_POOL: up to ${limit} connections of this server and ${limit} of others that serve beside it are more than the ${limit} that PostgreSQL takes. Lower DATABASE_POOL, or raise max_connections`,
    ]);
    await presence.stop();
  });
});
