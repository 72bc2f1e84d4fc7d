import { setTimeout as wait } from 'node:timers/promises';
import { startCluster } from '../support/cluster.ts';
import { query } from '../support/postgres.ts';
import type { Drill } from './drill.ts';
import { startWatch } from './watch.ts';

const BUSY_MS = 2_000;
const BACK_SECONDS = 5;

export const drill: Drill = {
  name: 'read-only-database',
  breaks: 'the database takes no writes for 4 s, as a standby before it is promoted',
  passes:
    'every answer is 200 or 503, `/readyz` is 503, whoever was signing in goes on, no link is lost, and all works within 5 s',
  limitSeconds: 120,
  run: async (place) => {
    const postgres = await place.startPostgres({ shared_buffers: '64MB' });
    const databaseUrl = await postgres.createDatabase('drill');
    const cluster = await startCluster({ databaseUrl, processes: 2 });
    place.onEnd(() => cluster.close());
    const setReadOnly = async (value: 'on' | 'off') => {
      // This connection may write, whatever the default of the database.
      const url = `${databaseUrl}?options=${encodeURIComponent('-c default_transaction_read_only=off')}`;
      await query(url, `alter system set default_transaction_read_only = ${value}`);
      await query(url, 'select pg_reload_conf()');
    };
    const readiness = () =>
      Promise.all(cluster.ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/readyz`)).status));
    const { identifier } = await cluster.signUp();
    const signingIn = cluster.browser();
    const uid = cluster.interactionOf((await signingIn.navigate('/login')).url);
    const watch = await startWatch(cluster);
    await wait(BUSY_MS);

    await setReadOnly('on');
    await wait(BUSY_MS);
    const refused = await signingIn.post(`/interaction/${uid}/login`, {
      identifier,
      password: 'moonlight77',
    });
    await wait(BUSY_MS);
    const ready = await readiness();
    await setReadOnly('off');
    const backAt = performance.now();
    await wait(BACK_SECONDS * 1000);
    const backSeconds = watch.failedUntil(backAt);
    const readyAgain = await readiness();
    const arrived = (await cluster.login(signingIn, uid, identifier)).url.pathname;
    const { alive, of } = await watch.stop();
    return {
      passed:
        watch.tally.beside(200, 303, 503) === 0 &&
        watch.tally.of(503) > 0 &&
        refused.status === 503 &&
        ready.every((status) => status === 503) &&
        readyAgain.every((status) => status === 200) &&
        arrived === '/index' &&
        backSeconds < BACK_SECONDS - 1 &&
        alive === of,
      figures:
        `requests: ${watch.tally}; /readyz ${ready.join(', ')}, and then ${readyAgain.join(', ')}; a sign-in ${refused.status}, and then ${arrived}; ` +
        `the last failure ${backSeconds.toFixed(1)} s after; ${of - alive} of ${of} links lost`,
    };
  },
};
