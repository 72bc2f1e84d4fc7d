import { setTimeout as wait } from 'node:timers/promises';
import { startCluster } from '../support/cluster.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import type { Drill } from './drill.ts';
import { startWatch } from './watch.ts';

const BUSY_MS = 2_000;
const ANSWER_SECONDS = 8;
const BACK_SECONDS = 12;

export const drill: Drill = {
  name: 'silent-connections',
  breaks:
    'what is between the processes and PostgreSQL forgets every connection that is open, and tells nobody',
  passes:
    'every answer comes within 8 s and is 200 or 503, no link is lost, and after 12 s nothing fails any more',
  limitSeconds: 60,
  run: async (place) => {
    const postgres = await place.startPostgres({ shared_buffers: '64MB' });
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: postgres.port });
    place.onEnd(() => proxy.close());
    const databaseUrl = proxy.through(await postgres.createDatabase('drill'));
    const cluster = await startCluster({ databaseUrl, processes: 2 });
    place.onEnd(() => cluster.close());
    const watch = await startWatch(cluster);
    await wait(BUSY_MS);
    watch.takeLongest();
    const forgotten = proxy.forget();
    const forgottenAt = performance.now();
    await wait(BACK_SECONDS * 1000 + BUSY_MS);
    const backSeconds = watch.failedUntil(forgottenAt);
    const longest = watch.takeLongest();
    const { alive, of } = await watch.stop();
    return {
      passed:
        watch.tally.beside(200, 303, 503) === 0 &&
        longest <= ANSWER_SECONDS &&
        backSeconds <= BACK_SECONDS &&
        alive === of,
      figures:
        `${forgotten} connections forgotten; requests: ${watch.tally}; the longest answer took ${longest.toFixed(1)} s, ` +
        `the last failure came after ${backSeconds.toFixed(1)} s; ${of - alive} of ${of} links lost`,
    };
  },
};
