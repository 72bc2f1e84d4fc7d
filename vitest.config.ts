import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Tests that mostly wait: for processes to start, for deadlines to pass, for a database that is away. The longest test
 * of all is among them, and works while they wait.
 */
const waiting = [
  'tests/{races,first-hour,mcp}/**/*.test.ts',
  'tests/api/{command-line,delivery,limits,lost-answers,silent-database,start}.test.ts',
  'tests/e2e/matrix.test.ts',
];

/** They begin first, so that none of them runs alone at the end. A fresh clone knows no durations, only sizes. */
const longest = /matrix|four-processes|command-line|start\.test/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => Number(longest.test(moduleId));
    return (await super.sort(files)).toSorted((a, b) => isLong(b) - isLong(a));
  }
}

export default defineConfig({
  test: {
    environment: 'node',
    // A process per file gives the memory of its PGlite back, and keeps signals and crashes to itself.
    pool: 'forks',
    // PGlite lives for seconds in a test: to optimise its code would cost more than the optimised code saves.
    execArgv: ['--liftoff-only'],
    // The servers that tests start are compiled once, not by each of their processes.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: { name: 'waiting', include: waiting, maxWorkers: 4, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'working',
          include: ['apps/**/src/**/*.test.{ts,tsx}', 'packages/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...waiting],
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
