import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node';

/**
 * Tests that put another module in the place of one, count each statement, or begin before the process has measured a
 * clock: their processes are theirs alone.
 */
const alone = ['apps/server/src/**/{clock,engine-time,signing-key-kid}.test.ts', 'tests/oidc/outage.test.ts'];

/** They begin first, so that none of them runs alone at the end. A fresh clone knows no durations, only sizes. */
const longest = /e2e\/matrix|four-processes/;
/**
 * Tests that mostly wait: for processes to start, for deadlines to pass, for a database that is away. They come next, and
 * whatever works fills the time.
 */
const waiting =
  /tests\/((races|drills|first-hour|mcp)\/|api\/(command-line|delivery|limits|lost-answers|silent-database|start)\.|signals\/(delivery|samples)\.)/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) =>
      Number(longest.test(moduleId)) * 2 + Number(waiting.test(moduleId));
    return (await super.sort(files)).toSorted((a, b) => rankOf(b) - rankOf(a));
  }
}

/** Where the time of the gate went. */
const slowestFiles: Reporter = {
  onTestRunEnd: (modules) => {
    const files = modules
      .map((module) => ({ file: module.relativeModuleId, ms: module.diagnostic().duration }))
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, 10);
    const lines = files.map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`);
    process.stdout.write(`\n The slowest files\n${lines.join('\n')}\n`);
  },
};

export default defineConfig({
  test: {
    environment: 'node',
    // A process runs one file after the other: to load the server anew for each took half of the gate.
    globalSetup: ['tests/support/run.ts'],
    pool: 'forks',
    isolate: false,
    reporters: ['default', slowestFiles],
    // PGlite lives for seconds in a test: to optimise its code would cost more than the optimised code saves.
    execArgv: ['--liftoff-only'],
    // The servers that tests start are compiled once, not by each of their processes.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
    // Only what hangs gets there, however busy the machine is.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'working',
          include: ['apps/*/{src,testing}/**/*.test.{ts,tsx}', 'packages/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...alone],
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: alone, isolate: true, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
