import { setTimeout as wait } from 'node:timers/promises';
import { createTokenRequests } from '../support/cluster.ts';
import type { Drill } from './drill.ts';
import { startFlows } from './flows.ts';
import { counted, createTally, linkHomes, refreshHome, startFarm } from './load.ts';

const RESTARTS = 6;
const PAUSE_MS = 1_000;
const PEOPLE = 3;
const HOMES = 6;
const REST_MS = 20;
const RECOVERED_SECONDS = 5;

export const drill: Drill = {
  name: 'database-restarts',
  row: 'DR2',
  breaks: 'PostgreSQL is stopped and started six times, by turns fast and immediate, under load',
  passes: 'nothing acknowledged is lost, refreshes are 200 or 503 and work again within 5 s, no process ends',
  limitSeconds: 150,
  run: async (place) => {
    const { cluster, postgres } = await startFarm(place, { processes: 2 });
    const pids = cluster.processes.map(({ pid }) => pid);
    const { app, homes } = await linkHomes(cluster, HOMES);
    const tally = createTally();
    let lastRefresh = 0;
    const running = new AbortController();
    place.onEnd(async () => running.abort());
    const keepHome = async (home: (typeof homes)[number]) => {
      const tokens = createTokenRequests(cluster, app, (send) => counted(tally, send));
      for (; !running.signal.aborted; await wait(REST_MS)) {
        if (await refreshHome(home, tokens).catch(() => false)) lastRefresh = performance.now();
      }
    };
    const load = homes.map(keepHome);
    const flows = await startFlows(cluster, { atOnce: PEOPLE });

    const recoverySeconds: number[] = [];
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      await wait(PAUSE_MS);
      await postgres.restart(restart % 2 === 0 ? 'fast' : 'immediate');
      const up = performance.now();
      while (lastRefresh < up) await wait(REST_MS);
      recoverySeconds.push((lastRefresh - up) / 1000);
      place.say(`restarted ${restart + 1} of ${RESTARTS}`);
    }
    running.abort();
    await Promise.all(load);
    await flows.stop();
    const found = await flows.examine();
    const kept = createTokenRequests(cluster, app);
    const alive = await Promise.all(homes.map((home) => refreshHome(home, kept)));
    const lost = found.lostAccounts + found.lostLinks + alive.filter((isAlive) => !isAlive).length;
    const slowest = Math.max(...recoverySeconds);
    const alike = cluster.processes.every(({ pid }, index) => pid === pids[index]);
    return {
      passed:
        alike &&
        lost + found.doubleSpent + found.halfAccounts === 0 &&
        tally.beside(200, 503) === 0 &&
        slowest < RECOVERED_SECONDS,
      figures:
        `${RESTARTS} restarts, refreshes: ${tally}; ${found.flows} flows, ${found.failed} failed, ` +
        `${lost} acknowledged writes lost; refreshing again after ${slowest.toFixed(2)} s at most`,
    };
  },
};
