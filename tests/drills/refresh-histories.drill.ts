import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createSum, playHistory } from '../oidc/refresh-histories.ts';
import { playJudged } from '../oidc/refresh-judged.ts';
import { linkApp } from '../oidc/refresh-link.ts';
import type { Cluster } from '../support/cluster.ts';
import { createRandom } from '../support/random.ts';
import type { Drill } from './drill.ts';
import { persist } from './flows.ts';
import { startPlace } from './journeys.ts';
import { createRetry, createTally } from './load.ts';

const PROCESSES = 4;
const LANES = 8;
const STEPS = 4;
const PAUSE_MS = { from: 3_000, to: 8_000 };

/** Kills a process every few seconds, and starts it again, until it is stopped. */
const startKilling = (cluster: Cluster) => {
  const over = new AbortController();
  let kills = 0;
  const killing = (async () => {
    while (!over.signal.aborted) {
      await wait(randomInt(PAUSE_MS.from, PAUSE_MS.to), undefined, { signal: over.signal }).catch(
        () => undefined,
      );
      if (over.signal.aborted) return;
      const index = randomInt(PROCESSES);
      await cluster.processes[index]?.kill();
      await cluster.restart(index);
      kills += 1;
    }
  })();
  return {
    stop: async (): Promise<number> => {
      over.abort();
      await killing;
      return kills;
    },
  };
};

/** Plays histories against the processes; a request without an answer is sent again, as apps do. */
const playServed = async (cluster: Cluster, count: number, say: (line: string) => void) => {
  const { agent } = await cluster.signUp();
  const app = await cluster.registerApp();
  const retry = createRetry(createTally());
  const { sum, faults, add } = createSum();
  let begun = 0;
  const play = async () => {
    for (let number = begun++; number < count; number = begun++) {
      const { first, requests, pass } = await persist(() => linkApp(cluster, agent, app));
      const server = {
        pass,
        refresh: async (token: string): Promise<string | undefined> =>
          (await retry(() => requests.refresh(token))).json().refresh_token,
      };
      add(number, await playHistory({ server, first, random: createRandom(number), steps: STEPS }));
      if (sum.histories % 100 === 0) say(`played ${sum.histories} of ${count}`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, play));
  return { sum, faults };
};

export const drill: Drill = {
  name: 'refresh-histories',
  breaks:
    'answers and requests are lost, repeated, parallel and late, clocks move, four processes are killed with kill -9 one after the other, and thieves copy tokens',
  passes: 'no app loses its link, and no thief keeps one',
  limitSeconds: 400,
  fullLimitSeconds: 3_600,
  run: async (place) => {
    const judged = await playJudged(place.isFull ? 1_000_000 : 100_000, 'overlap');
    const cluster = await startPlace(place, { processes: PROCESSES });
    const killing = startKilling(cluster);
    let kills = 0;
    const served = await playServed(cluster, place.isFull ? 10_000 : 400, place.say).finally(async () => {
      kills = await killing.stop();
    });
    for (const fault of [...judged.faults, ...served.faults].slice(0, 10)) place.say(fault);
    const describe = ({ histories, requests, lost, thefts, missed }: typeof judged.sum) =>
      `${histories} histories, ${requests} requests, ${lost} links lost, ${thefts} thefts, ${missed} missed`;
    return {
      passed: judged.faults.length + served.faults.length === 0 && kills > 0,
      figures: `the decision alone: ${describe(judged.sum)}; four processes: ${describe(served.sum)}, ${kills} kills`,
    };
  },
};
