import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Drill } from './drill.ts';
import { startFlows } from './flows.ts';
import { startFarm } from './load.ts';

const PROCESSES = 3;
const KILLS = 8;
const PAUSE_MS = { from: 300, to: 1_500 };
const PEOPLE = 6;
const MOST_FAILED = 0.01;

export const drill: Drill = {
  name: 'kill-nine',
  row: 'DR1',
  breaks:
    'kill -9 of a random process of three behind nginx, while people register, sign in, link and refresh',
  passes: 'no acknowledged write is lost, nothing is spent twice, no half account, 99 % of the flows finish',
  limitSeconds: 150,
  run: async (place) => {
    const { cluster } = await startFarm(place, { processes: PROCESSES });
    const flows = await startFlows(cluster, { atOnce: PEOPLE });
    const readySeconds: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await wait(randomInt(PAUSE_MS.from, PAUSE_MS.to));
      const index = randomInt(PROCESSES);
      await cluster.processes[index]?.kill();
      const start = performance.now();
      await cluster.restart(index);
      readySeconds.push((performance.now() - start) / 1000);
      place.say(`killed ${kill + 1} of ${KILLS}`);
    }
    await flows.stop();
    const {
      doubleSpent,
      failed,
      flows: begun,
      halfAccounts,
      lostAccounts,
      lostLinks,
    } = await flows.examine();
    return {
      passed:
        begun > 0 &&
        failed <= begun * MOST_FAILED &&
        lostAccounts + lostLinks + doubleSpent + halfAccounts === 0,
      figures:
        `${KILLS} kills, ${begun} flows, ${failed} failed, ${lostAccounts} accounts and ${lostLinks} links lost, ` +
        `${doubleSpent} spent twice, ${halfAccounts} half accounts; ready again in ${Math.max(...readySeconds).toFixed(1)} s at most`,
    };
  },
};
