import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['apps/**/src/**/*.test.{ts,tsx}', 'packages/**/*.test.ts', 'tests/**/*.test.ts'],
    environment: 'node',
    // A process per file gives the memory of its PGlite back, and keeps signals and crashes to itself.
    pool: 'forks',
    // Two cores: what one waits for, another uses.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
