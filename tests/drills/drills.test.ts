import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { expect, test } from 'vitest';
import { skipped } from '../races/rounds.ts';

const main = join(import.meta.dirname, 'main.ts');
const short = ['clock-ahead', 'clock-skew'];

/** The others take minutes: they are run before a release. */
test.skipIf(!testDatabaseUrl)(
  `drills are performed one after the other, each on a PostgreSQL of its own${skipped}`,
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...short]).catch(
      (failed) => failed,
    );
    const [, , ...rows] = stdout.trim().split('\n');
    expect(
      rows.map((row: string) => row.split(' | ').at(0)),
      stdout,
    ).toEqual(short.map((name) => `| ${name}`));
    for (const row of rows) expect(row).toMatch(/ passed \|$/);
  },
);
