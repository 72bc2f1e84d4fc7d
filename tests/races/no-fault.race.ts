import { describe, expect, test } from 'vitest';
import { fourProcesses } from './four-processes.ts';
import { skipped } from './rounds.ts';

describe.skipIf(skipped)(`the races before at four processes${skipped}`, () => {
  test('no request failed at the server', async () => {
    const cluster = await fourProcesses();
    expect(cluster.faults()).toEqual([]);
  });
});
