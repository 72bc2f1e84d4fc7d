import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest';
import type { Connection } from '../src/ground/db/connect.ts';
import { openTestDatabases, type TestDatabase } from './databases.ts';

/** Describes tests. Only `kind` of the connection is known before a test or a hook runs. */
type DescribeTests = (connection: Connection) => void;

const describeOn = (
  databases: readonly TestDatabase[],
  title: string,
  tests: DescribeTests,
  [before, after]: [typeof beforeAll, typeof afterAll] | [typeof beforeEach, typeof afterEach],
) => {
  describe.each(databases)(`${title} on $name`, ({ name, open }) => {
    let opened: Connection | undefined;
    const current = (): Connection => {
      if (!opened) throw new Error('the database is open once a test runs');
      return opened;
    };
    before(async () => {
      opened = await open();
    });
    after(() => opened?.close());
    tests({
      kind: name,
      get db() {
        return current().db;
      },
      get listen() {
        return current().listen;
      },
      close: () => current().close(),
    });
  });
};

/** Describes behaviour on PGlite and, if TEST_DATABASE_URL is set, on PostgreSQL; all tests share a migrated database. */
export const describeOnDatabases = (title: string, tests: DescribeTests): void =>
  describeOn(openTestDatabases(), title, tests, [beforeAll, afterAll]);

/**
 * Describes what is counted and decided above statements that have tests of their own on both databases: on PostgreSQL
 * if TEST_DATABASE_URL is set, else on PGlite.
 */
export const describeOnDatabase = (title: string, tests: DescribeTests): void =>
  describeOn(openTestDatabases().slice(-1), title, tests, [beforeAll, afterAll]);

/** Like `describeOnDatabases`, with a migrated database for each test. */
export const describeOnFreshDatabases = (title: string, tests: DescribeTests): void =>
  describeOn(openTestDatabases(), title, tests, [beforeEach, afterEach]);

/** Describes behaviour on PostgreSQL only; skipped unless TEST_DATABASE_URL is set. */
export const describeOnPostgres = (title: string, tests: DescribeTests): void => {
  const servers = openTestDatabases().filter(({ name }) => name === 'postgres');
  if (servers.length > 0) describeOn(servers, title, tests, [beforeAll, afterAll]);
  else describe.skip(title, () => test('is not set', () => undefined));
};
