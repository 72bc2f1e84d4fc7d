import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Cluster, createTokenRequests, startCluster } from '../support/cluster.ts';
import { mountSmallDisk } from '../support/tmpfs.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createAttempts } from './attempts.ts';
import type { Drill, DrillPlace } from './drill.ts';
import { counted, createTally, type Home, linkHomes, refreshHome } from './load.ts';

const HOMES = 6;
const FULL_MS = 6_000;
const BACK_SECONDS = 5;
const DATABASE_MIB = 300;
const FILES_MIB = 20;

const READS = ['/.well-known/openid-configuration', '/oauth/jwks', '/api/account', '/api/authorizations'];

const startWork = async (cluster: Cluster) => {
  const { app, homes } = await linkHomes(cluster, HOMES);
  const { agent } = await cluster.signUp();
  const reads = createTally();
  const writes = createTally();
  const tokens = createTokenRequests(cluster, app, (send) => counted(writes, send));
  const verification = createTokenRequests(cluster, app, (send) => counted(reads, send));
  const newcomers = () => cluster.browser({ retry: (send) => counted(writes, send) });
  let isOver = false;
  const keep = async (work: (turn: number) => Promise<unknown>) => {
    for (let turn = 0; !isOver; turn += 1) await work(turn).catch(() => wait(20));
  };
  const read = async (reader: UserAgent, path: string) =>
    counted(reads, () => reader.get(path)).then(() => wait(20));
  const running = Promise.all([
    ...homes.map((home) => keep(() => refreshHome(home, tokens).then(() => wait(5)))),
    keep((turn) => read(agent, READS[turn % READS.length] ?? '/')),
    keep(() => verification.isActive(homes[0]?.token ?? '').then(() => wait(20))),
    keep(() => cluster.signUp(undefined, newcomers())),
  ]);
  return {
    reads,
    writes,
    homes,
    stop: async () => {
      isOver = true;
      await running;
    },
    countAlive: async () => {
      const last = createTokenRequests(cluster, app);
      const alive = await Promise.all(homes.map((home: Home) => refreshHome(home, last)));
      return alive.filter(Boolean).length;
    },
  };
};

/** Reads every row of every table, as whoever looks for damage does first. */
const readAll = async ({ db }: Cluster): Promise<number> => {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  let read = 0;
  for (const { name } of rows) read += (await sql`select * from ${sql.table(name)}`.execute(db)).rows.length;
  return read;
};

const fillDatabase = async (place: DrillPlace) => {
  const disk = mountSmallDisk(DATABASE_MIB);
  if (!disk) return undefined;
  place.onEnd(disk.unmount);
  const postgres = await place.startPostgres({ shared_buffers: '32MB', autovacuum: 'off' }, disk.directory);
  const cluster = await startCluster({ databaseUrl: await postgres.createDatabase('drill'), processes: 2 });
  place.onEnd(() => cluster.close());
  const work = await startWork(cluster);
  await disk.fill();
  await wait(FULL_MS);
  const [reads, writes] = [String(work.reads), String(work.writes)];
  const strange = work.reads.beside(200, 503) + work.writes.beside(200, 202, 303, 503);
  const unread = work.reads.beside(200);
  const refused = work.writes.of(503);
  await disk.empty();
  const start = performance.now();
  while ((await cluster.signUp().catch(() => undefined)) === undefined) await wait(20);
  const back = (performance.now() - start) / 1000;
  await work.stop();
  const alive = await work.countAlive();
  await postgres.restart('immediate');
  while (!(await readAll(cluster).catch(() => 0))) await wait(50);
  return {
    passed: strange + unread === 0 && refused > 0 && alive === HOMES && back < BACK_SECONDS,
    figures: `database: reads ${reads}; writes ${writes}; all works ${back.toFixed(1)} s after there was room; ${alive} of ${HOMES} links alive, and after a crash every row is read`,
  };
};

const fillFiles = async (place: DrillPlace) => {
  const disk = mountSmallDisk(FILES_MIB);
  if (!disk) return undefined;
  place.onEnd(disk.unmount);
  const postgres = await place.startPostgres({ shared_buffers: '32MB' });
  const cluster = await startCluster({
    databaseUrl: await postgres.createDatabase('drill'),
    processes: 2,
    place: disk.directory,
    logsToFile: true,
    env: { LOG_LEVEL: 'debug' },
  });
  place.onEnd(() => cluster.close());
  const { app, homes, identifier } = await linkHomes(cluster, HOMES);
  const tokens = createTokenRequests(cluster, app);
  const attempts = createAttempts();
  const logs = async () =>
    (await Promise.all(cluster.dataDirs.map((folder) => readFile(join(folder, 'log'), 'utf8')))).join('');
  await disk.fill();
  const codes = createTally();
  for (let turn = 0; turn < 10; turn += 1) {
    await attempts.run('sign-ins', () => cluster.signIn(identifier));
    for (const home of homes)
      await attempts.run('refreshes', async () => {
        if (!(await refreshHome(home, tokens))) throw new Error('a refresh was refused');
      });
    await counted(codes, () =>
      cluster.browser().post('/api/codes', { identifier: `full-${turn}@example.com`, purpose: 'login' }),
    );
  }
  await disk.empty();
  const before = (await logs()).length;
  while (!(await logs()).includes('"msg":"log lines were dropped"')) {
    await cluster.browser().get('/version');
    await wait(20);
  }
  await attempts.run('registrations afterwards', () => cluster.signUp());
  return {
    passed: attempts.failed() === 0 && codes.beside(202, 503) === 0 && (await logs()).length > before,
    figures: `outbox and logs: ${attempts.figures()}${attempts.failed() ? ` (${attempts.firstFailure()})` : ''}; requests for codes ${codes}; dropped lines are reported once there is room`,
  };
};

export const drill: Drill = {
  name: 'full-disk',
  row: 'DR8',
  breaks: 'the disk of the tables is full, then that of DATA_DIR and of the logs',
  passes:
    'reads and the verification of tokens go on, writes are 503, nothing is damaged, and all works within 5 s of there being room',
  limitSeconds: 120,
  run: async (place) => {
    const parts = [await fillDatabase(place), await fillFiles(place)].filter((part) => part !== undefined);
    if (parts.length < 2) return { skipped: 'this user may not mount a small file system; root may' };
    return {
      passed: parts.every(({ passed }) => passed),
      figures: parts.map(({ figures }) => figures).join('. '),
    };
  },
};
