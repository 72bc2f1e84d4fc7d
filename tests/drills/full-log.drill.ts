import { setTimeout as wait } from 'node:timers/promises';
import { createTokenRequests, startCluster } from '../support/cluster.ts';
import { freePort } from '../support/world.ts';
import type { Drill } from './drill.ts';
import { createRetry, createTally, linkHomes, refreshHome } from './load.ts';

/** More than fits into the process’s queue and the pipe: 1.3 MB. */
const LINES = 9_000;
const AT_ONCE = 20;
const SIGN_UPS = 10;

export const drill: Drill = {
  name: 'full-log',
  row: 'DR8',
  breaks: 'nobody reads the pipes that a process logs to, until they and its buffer are full',
  passes: 'people sign in and apps refresh as before; the lines that were dropped are counted and told',
  limitSeconds: 120,
  run: async (place) => {
    const metricsPort = await freePort();
    const postgres = await place.startPostgres();
    const cluster = await startCluster({
      databaseUrl: await postgres.createDatabase('drill'),
      processes: 1,
      env: { LOG_LEVEL: 'debug', METRICS_PORT: String(metricsPort) },
    });
    place.onEnd(() => cluster.close());
    const { app, homes } = await linkHomes(cluster, 1);
    const [server] = cluster.processes;
    server?.ignoreOutput('unread');

    const fill = async () => {
      for (let line = 0; line < LINES / AT_ONCE; line += 1)
        await (await fetch(`http://127.0.0.1:${server?.port}/version`)).arrayBuffer();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, fill));
    place.say('the log is full');
    const tally = createTally();
    const requests = createTokenRequests(cluster, app, createRetry(tally));
    let signedUp = 0;
    let refreshed = 0;
    for (let turn = 0; turn < SIGN_UPS; turn += 1) {
      signedUp += await cluster.signUp().then(
        () => 1,
        () => 0,
      );
      for (const home of homes) if (await refreshHome(home, requests)) refreshed += 1;
    }
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const dropped = Number(/^candela_log_lines_dropped_total (\d+)/m.exec(metrics)?.[1]);
    server?.readOutput();
    while (!server?.output().includes('"msg":"log lines were dropped"')) {
      await (await fetch(`http://127.0.0.1:${server?.port}/version`)).arrayBuffer();
      await wait(20);
    }
    return {
      passed: signedUp === SIGN_UPS && refreshed === SIGN_UPS && dropped > 0 && tally.beside(200) === 0,
      figures: `${signedUp} of ${SIGN_UPS} people registered, ${refreshed} of ${SIGN_UPS} refreshes, ${dropped} lines dropped and told`,
    };
  },
};
