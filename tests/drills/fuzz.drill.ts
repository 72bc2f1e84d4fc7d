import { type CreateCase, fuzzCases } from '../api/fuzz-cases.ts';
import { createRandom } from '../support/random.ts';
import type { Drill } from './drill.ts';
import { startPlace } from './journeys.ts';
import { littleRoom, residentMib } from './memory.ts';

const SEEDS = 3;
const AT_ONCE = 6;
const SLOWEST_SECONDS = 2;
const MOST_GROWTH_MIB = 50;

export const drill: Drill = {
  name: 'fuzz',
  row: 'DR9',
  breaks: 'malformed requests to the API, to pages and to the protocol, from three seeds each',
  passes: 'no 5xx, no answer after more than 2 s, less than 50 MiB more memory',
  limitSeconds: 200,
  fullLimitSeconds: 3_000,
  run: async (place) => {
    const perClass = place.isFull ? 10_000 : 1_000;
    const cluster = await startPlace(place, {
      processes: 1,
      env: {
        ...littleRoom,
        CODE_PER_HOUR: '1000000',
        CODE_PER_DAY: '1000000',
        CODE_PER_ADDRESS_PER_HOUR: '1000000',
      },
    });
    const { agent } = await cluster.signUp();
    const app = await cluster.registerApp();
    const { url } = await app.rp.authorizationUrl({ prompt: 'select_account' });
    const insider = { uid: cluster.interactionOf((await agent.navigate(url)).url), id: app.clientId };
    const faults: string[] = [];
    let slowest = 0;
    let sent = 0;

    const run = async (name: string, seed: number, create: CreateCase, count: number) => {
      const random = createRandom(seed);
      let left = count;
      const lane = async () => {
        while (left-- > 0) {
          const { method, target, options } = create(random, insider);
          const start = performance.now();
          const { status } = await agent.request(method, target, options);
          const seconds = (performance.now() - start) / 1000;
          slowest = Math.max(slowest, seconds);
          sent += 1;
          if (status >= 500 || seconds > SLOWEST_SECONDS)
            faults.push(
              `${name}, seed ${seed}: ${status} after ${seconds.toFixed(1)} s to ${method} ${target} ${JSON.stringify(options)}`,
            );
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, lane));
    };
    const [server] = cluster.processes;
    // A process that has just started grows until each kind of work was done, whatever it is asked.
    for (const [name, seed, create] of fuzzCases) await run(name, seed + SEEDS, create, perClass / 2);
    const before = residentMib(server?.pid ?? 0);
    for (const [name, seed, create] of fuzzCases) {
      for (let each = 0; each < SEEDS; each += 1)
        await run(name, seed + each, create, place.isFull ? perClass : perClass / SEEDS);
      place.say(
        `${name}: ${sent} requests, ${faults.length} faults, ${residentMib(server?.pid ?? 0).toFixed(0)} MiB`,
      );
    }
    const growth = residentMib(server?.pid ?? 0) - before;
    const isReady = (await agent.get('/readyz')).status === 200;
    return {
      passed: faults.length === 0 && growth < MOST_GROWTH_MIB && isReady,
      figures: `${sent} requests, ${faults.length} faults${faults[0] ? ` (${faults[0].replaceAll('|', '&#124;').slice(0, 300)})` : ''}; the slowest answer took ${slowest.toFixed(2)} s; ${growth.toFixed(0)} MiB more memory (${before.toFixed(0)} MiB before)`,
    };
  },
};
