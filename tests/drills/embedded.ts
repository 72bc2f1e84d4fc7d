import { randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { placePglite } from '@candela/server/testing/databases';
import { createTokenRequests, startServer } from '../support/cluster.ts';
import { createRelyingParty } from '../support/relying-party.ts';
import { createVerbs, freePort } from '../support/world.ts';
import { app, appEntry } from './file-app.ts';
import { type Home, refreshHome } from './load.ts';

const HOMES = 4;
/** For how long homes refresh before the process is killed. */
const BUSY_MS = { from: 50, to: 400 };

const startPlace = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'candela-embedded-'));
  await placePglite(dataDir);
  const port = await freePort();
  const clientsFile = join(dataDir, 'clients.json');
  await writeFile(clientsFile, JSON.stringify([appEntry]));
  const env = { DATA_DIR: dataDir, CLIENTS_FILE: clientsFile, CODE_RESEND_SECONDS: '0' };
  const origin = `http://localhost:${port}`;
  return {
    origin,
    start: () => startServer(port, env),
    /** A second process on the same directory, and what it prints. */
    intrude: async () => {
      const second = await startServer(await freePort(), env).catch((error: Error) => error.message);
      if (typeof second === 'string') return second;
      await second.kill();
      return 'a second process started';
    },
    verbs: createVerbs({
      origin,
      ports: [port],
      dataDirs: [dataDir],
      registerClients: async () => undefined,
    }),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
};

/** Kills a server on the embedded database with kill -9 while homes refresh, again and again. */
export const crashEmbedded = async (kills: number, say: (line: string) => void = () => undefined) => {
  const place = await startPlace();
  const { origin, verbs } = place;
  let server = await place.start();
  const outcome = { opened: 0, lostLinks: 0, refreshes: 0, refusal: '', slowestStart: 0 };
  try {
    const rp = await createRelyingParty({ issuer: origin, ...app });
    const { agent } = await verbs.signUp();
    const homes: Home[] = [];
    while (homes.length < HOMES) {
      const { tokens } = await verbs.link(agent, rp);
      homes.push({ token: tokens.refresh_token ?? '', refreshes: 0 });
    }
    const requests = createTokenRequests({ ...verbs, origin }, app);
    outcome.refusal = await place.intrude();
    for (let kill = 1; kill <= kills; kill += 1) {
      let isOver = false;
      const busy = homes.map(async (home) => {
        while (!isOver) await refreshHome(home, requests).catch(() => wait(5));
      });
      await wait(randomInt(BUSY_MS.from, BUSY_MS.to));
      await server.kill();
      isOver = true;
      await Promise.all(busy);
      const start = performance.now();
      server = await place.start();
      outcome.slowestStart = Math.max(outcome.slowestStart, (performance.now() - start) / 1000);
      outcome.opened += 1;
      for (const home of homes) if (!(await refreshHome(home, requests))) outcome.lostLinks += 1;
      if (kill % 10 === 0) say(`killed ${kill} of ${kills}`);
    }
    outcome.refreshes = homes.reduce((sum, home) => sum + home.refreshes, 0);
    return outcome;
  } finally {
    await server.kill();
    await place.remove();
  }
};
