import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../support/random.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { fuzzCases } from './fuzz-cases.ts';
import { insider } from './routes.ts';

const CASES = process.env.FULL ? 10_000 : 200;
const SLOWEST_MS = 2_000;

let world: World;
let agent: UserAgent;
let uid: string;
let id: string;
beforeAll(async () => {
  world = await createWorld({
    env: { CODE_PER_HOUR: '100000', CODE_PER_DAY: '100000', CODE_PER_ADDRESS_PER_HOUR: '100000' },
  });
  ({ agent, uid, id } = await insider(world));
});
afterAll(() => world.close());

describe('no request makes the server fail', () => {
  test.each(fuzzCases)('%s (seed %d)', { timeout: CASES * 100 + 60_000 }, async (_name, seed, create) => {
    const random = createRandom(seed);
    for (let index = 0; index < CASES; index += 1) {
      const { method, target, options } = create(random, { uid, id });
      const started = performance.now();
      const { status } = await agent.request(method, target, options);
      const label = `case ${index}: ${method} ${target} ${JSON.stringify(options)}`;
      expect(status, label).toBeGreaterThanOrEqual(200);
      expect(status, label).toBeLessThan(500);
      expect(performance.now() - started, label).toBeLessThan(SLOWEST_MS);
    }
    expect((await agent.get('/readyz')).status).toBe(200);
  });
});
