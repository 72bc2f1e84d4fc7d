import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { startCluster } from '../support/cluster.ts';
import type { Drill } from './drill.ts';
import { startWatch } from './watch.ts';

const BUSY_MS = 2_000;
const FROZEN_MS = 15_000;
const ANSWER_SECONDS = 8;
const BACK_SECONDS = 5;
const STOP_SECONDS = 15;

/** The PostgreSQL server of the drill, and its backends. */
const processesOf = (pid: number): number[] => [
  pid,
  ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
];

const signal = (pids: readonly number[], name: NodeJS.Signals) => {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // The backend ended meanwhile.
    }
  }
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

export const drill: Drill = {
  name: 'frozen-database',
  breaks:
    'PostgreSQL and all of its backends are stopped for 15 s, and go on; a process is told to end meanwhile',
  passes:
    'every answer comes within 8 s and is 200 or 503, /readyz is 503, the process ends within 15 s, no link is lost, and all works within 5 s',
  limitSeconds: 120,
  run: async (place) => {
    const postgres = await place.startPostgres({ shared_buffers: '64MB' });
    const cluster = await startCluster({ databaseUrl: await postgres.createDatabase('drill'), processes: 3 });
    place.onEnd(() => cluster.close());
    const [, , leaving] = cluster.processes;
    // No more requests go to the process that is asked to end.
    const ports = cluster.ports.slice(0, 2);
    const watch = await startWatch(cluster, { ports });
    await wait(BUSY_MS);

    const frozen = processesOf(postgres.pid());
    place.onEnd(async () => signal(frozen, 'SIGCONT'));
    watch.takeLongest();
    signal(frozen, 'SIGSTOP');
    const frozenAt = performance.now();
    await wait(BUSY_MS);
    const ready = await cluster.browser({ ports }).get('/readyz');
    process.kill(leaving?.pid ?? 0, 'SIGTERM');
    const toldAt = performance.now();
    while (leaving && isRunning(leaving.pid) && performance.now() - toldAt < 2 * STOP_SECONDS * 1000)
      await wait(50);
    const stopSeconds = (performance.now() - toldAt) / 1000;
    await wait(Math.max(0, FROZEN_MS - (performance.now() - frozenAt)));
    const longest = watch.takeLongest();

    signal(frozen, 'SIGCONT');
    const thawedAt = performance.now();
    await wait(BACK_SECONDS * 1000 + BUSY_MS);
    const backSeconds = watch.failedUntil(thawedAt);
    const { alive, of } = await watch.stop();
    return {
      passed:
        watch.tally.beside(200, 303, 503) === 0 &&
        watch.tally.of(503) > 0 &&
        ready.status === 503 &&
        longest <= ANSWER_SECONDS &&
        stopSeconds <= STOP_SECONDS &&
        backSeconds <= BACK_SECONDS &&
        alive === of,
      figures:
        `requests: ${watch.tally}; the longest answer took ${longest.toFixed(1)} s, stopping ${stopSeconds.toFixed(1)} s; ` +
        `/readyz ${ready.status}; the last failure ${backSeconds.toFixed(1)} s after it went on; ${of - alive} of ${of} links lost`,
    };
  },
};
