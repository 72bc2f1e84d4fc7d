import { createMigratedDatabase, testDatabaseUrl } from '@candela/server/testing/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, openBench } from './bench.ts';
import { readOptions } from './options.ts';
import { formatTable } from './report.ts';
import type { Row } from './result.ts';
import { scenarios } from './scenarios.ts';
import { readStatementTable } from './statement-table.ts';

const TINY = '--rounds 1 --seconds 0.02 --concurrency 2 --scale 0.02 --flows 8 --tokens 80'.split(' ');

/** To make an embedded database takes as long as all else here; other tests make and start one. */
const wanted = scenarios.filter(({ name }) => process.env.FULL || name !== 'ready-embedded');

/** The server of the tests, on which databases are dropped once they are not used any more. */
const prepareGround = (url: string) => {
  const drops: (() => Promise<void>)[] = [];
  return {
    // A worker of the tests goes on to other files: it is not pinned to a core.
    cores: { pinned: false, server: '', rest: '' },
    shared: true,
    postgres: {
      version: '',
      createDatabase: async () => {
        const { databaseUrl, drop } = await createMigratedDatabase(url);
        drops.push(drop);
        return databaseUrl;
      },
      stop: async () => {
        for (const drop of drops) await drop();
      },
    },
  };
};

describe.skipIf(!testDatabaseUrl)('the bench, tiny', () => {
  const documented = readStatementTable();
  const counted = new Map<string, readonly number[]>();
  let bench: Bench;

  beforeAll(async () => {
    bench = await openBench(readOptions(TINY), prepareGround(testDatabaseUrl ?? ''));
  });
  afterAll(() => bench.close());

  it.each(wanted)('$name ends, and sends the statements that are documented', async ({ run }) => {
    const rows: Row[] = await run(bench);
    expect(rows).not.toEqual([]);
    expect(formatTable(rows)).toContain(rows[0]?.name);
    for (const { name, counts } of rows) {
      if (!counts) continue;
      counted.set(name, counts.requests);
      expect(counts.requests, name).toEqual(documented.get(name));
    }
  });

  it('counts what is documented, and nothing else', () => {
    expect([...counted.keys()].toSorted()).toEqual([...documented.keys()].toSorted());
  });
});
