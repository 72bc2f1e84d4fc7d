import { expect, test } from 'vitest';
import { crashEmbedded } from '../drills/embedded.ts';

const KILLS = process.env.FULL ? 200 : 2;

test('DR3: the embedded database opens after each kill -9 while apps refresh, with the last acknowledged write', {
  timeout: 120_000 + KILLS * 60_000,
}, async () => {
  const { lostLinks, opened, refreshes, refusal } = await crashEmbedded(KILLS);
  expect(opened).toBe(KILLS);
  expect(lostLinks).toBe(0);
  expect(refreshes).toBeGreaterThan(KILLS);
  expect(refusal).toMatch(/The embedded database in .* is in use by process \d+/);
});
