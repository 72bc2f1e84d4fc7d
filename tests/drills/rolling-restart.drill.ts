import { setTimeout as wait } from 'node:timers/promises';
import { createTokenRequests } from '../support/cluster.ts';
import type { Drill } from './drill.ts';
import { counted, createTally, linkHomes, refreshHome, startFarm } from './load.ts';

const PROCESSES = 2;
const RESTARTS = 6;
const HOMES = 12;
const READERS = 4;
const NOTICE_SECONDS = 1;
const PATHS = ['/.well-known/openid-configuration', '/oauth/jwks', '/api/account', '/login'];

export const drill: Drill = {
  name: 'rolling-restart',
  row: 'DR5',
  breaks: 'Six restarts by SIGTERM, one process of two after the other, behind nginx under load',
  passes: 'no request is reset, refused or answered by another status than without the restarts',
  limitSeconds: 240,
  run: async (place) => {
    const { cluster } = await startFarm(place, {
      processes: PROCESSES,
      env: { DRAIN_NOTICE_SECONDS: String(NOTICE_SECONDS) },
    });
    const { app, homes } = await linkHomes(cluster, HOMES);
    const posts = createTally();
    const gets = createTally();
    const running = new AbortController();
    place.onEnd(async () => running.abort());

    const keepHome = async (home: (typeof homes)[number]) => {
      const tokens = createTokenRequests(cluster, app, (send) => counted(posts, send));
      while (!running.signal.aborted) await refreshHome(home, tokens).catch(() => wait(20));
    };
    const read = async (_: unknown, reader: number) => {
      const agent = cluster.browser({ retry: (send) => counted(gets, send) });
      for (let turn = reader; !running.signal.aborted; turn += 1)
        await agent.get(PATHS[turn % PATHS.length] ?? '/').catch(() => wait(20));
    };
    const load = [...homes.map(keepHome), ...Array.from({ length: READERS }, read)];

    const forced: number[] = [];
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      const index = restart % PROCESSES;
      if ((await cluster.processes[index]?.stop()) !== 0) forced.push(restart);
      await cluster.restart(index);
    }
    running.abort();
    await Promise.all(load);

    // Without a session the account is 401, and the sign-in page redirects.
    const failed = posts.beside(200) + gets.beside(200, 303, 401) + forced.length;
    return {
      passed: failed === 0 && posts.of(200) > 0,
      figures: `${posts.of(200)} refreshes, ${gets.of(200) + gets.of(303) + gets.of(401)} reads, ${failed} failed${failed ? ` (POST ${posts}; GET ${gets}; ${forced.length} ended by force)` : ''}`,
    };
  },
};
