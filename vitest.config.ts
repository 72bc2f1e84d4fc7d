import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['apps/**/src/**/*.test.{ts,tsx}', 'packages/**/*.test.ts', 'tests/**/*.test.ts'],
    environment: 'node',
    // A process per file gives the memory of its PGlite back, and keeps signals and crashes to itself.
    pool: 'forks',
    maxWorkers: 2,
    // The servers that tests start are compiled once, not by each of their processes.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
