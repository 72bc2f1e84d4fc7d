import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query } from '../../support/postgres.ts';
import { createVerbs } from '../../support/world.ts';
import type { Bench } from '../bench.ts';
import { readCookies } from '../browser.ts';
import { startMainProcess } from '../main-process.ts';
import { keepTemplates, mintSql } from '../mint.ts';
import { compare } from '../paired.ts';
import type { Row } from '../result.ts';
import { clientMetadata, HOST, ORIGIN } from '../setting.ts';
import { candelaEnv, makeFirstFlow, type Subject } from '../subject.ts';
import { createPools, mintValues, tokenRequests } from './protocol.ts';

const POOL = 2_000;

/** `npx pnpm start` with WORKERS, on every core of the machine, shared with the load and the database. */
const startWithWorkers = async ({ cores, postgres }: Bench, workers: number): Promise<Subject> => {
  const databaseUrl = await postgres.createDatabase(`workers_${workers}`);
  const dataDir = await mkdtemp(join(tmpdir(), 'candela-bench-'));
  const clientsFile = join(dataDir, 'clients.json');
  await writeFile(clientsFile, JSON.stringify([clientMetadata]));
  const server = await startMainProcess(
    (command) =>
      cores.pinned
        ? ['taskset', '-c', `${cores.server},${cores.rest}`, ...command]
        : [process.execPath, ...command.slice(1)],
    { ...candelaEnv(databaseUrl, dataDir), WORKERS: String(workers), CLIENTS_FILE: clientsFile },
  );
  const target = { port: server.port, host: HOST };
  const verbs = createVerbs({
    origin: ORIGIN,
    ports: [server.port],
    dataDirs: [dataDir],
    registerClients: () => Promise.reject(new Error('the clients are those of the file')),
  });
  const { agent } = await verbs.signUp();
  const signedIn = await makeFirstFlow(target, readCookies(await agent.jar.getCookieString(ORIGIN)));
  await keepTemplates(databaseUrl);
  return {
    ...target,
    label: 'candela',
    process: { ...server, ask: () => Promise.reject(new Error('the server is a process like any other')) },
    signedIn,
    mint: async (batch) => {
      await query(databaseUrl, mintSql(batch));
    },
    close: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** Two workers compared with one, on a machine shared with the load and the database. */
export const runWorkers = async (bench: Bench): Promise<Row[]> => {
  const two = await startWithWorkers(bench, 2);
  const one = await startWithWorkers(bench, 1);
  const requests = tokenRequests(createPools((subject, model) => mintValues(subject, model, POOL)));
  try {
    const rows: Row[] = [];
    for (const name of ['introspection', 'refresh'] as const) {
      const { first, second, ratios } = await compare(bench, [two, requests[name]], [one, requests[name]]);
      rows.push({
        name: `${name} at two workers`,
        candela: first,
        other: { ...second, label: 'one worker' },
        ratios,
      });
    }
    return rows;
  } finally {
    await two.close();
    await one.close();
  }
};
