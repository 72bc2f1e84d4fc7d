import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../support/world.ts';
import type { Bench } from '../bench.ts';
import { type Cores, onServerCore } from '../cores.ts';
import { openConnection } from '../http-connection.ts';
import type { Row } from '../result.ts';
import { HOST } from '../setting.ts';
import { median } from '../statistics.ts';
import { candelaEnv } from '../subject.ts';

const POLL_MS = 10;
const PATIENCE_MS = 60_000;

const main = new URL('../../../apps/server/src/main.ts', import.meta.url).pathname;

const isReady = async (port: number): Promise<boolean> => {
  try {
    const connection = await openConnection(port, HOST);
    const { status } = await connection.send({ path: '/readyz' });
    connection.close();
    return status === 200;
  } catch {
    return false;
  }
};

/** Seconds from the start of the server's process to the first 200 of /readyz. */
const startOnce = async (cores: Cores, env: Record<string, string>): Promise<number> => {
  const port = await freePort();
  const [file, ...args] = onServerCore(cores, [process.execPath, main]);
  const started = performance.now();
  const child = spawn(file, args, {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null || performance.now() - started > PATIENCE_MS) {
        throw new Error('the server did not become ready');
      }
      await delay(POLL_MS);
    }
    return (performance.now() - started) / 1000;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
};

const repeat = async (count: number, work: () => Promise<number>): Promise<number> => {
  const results: number[] = [];
  while (results.length < count) results.push(await work());
  return median(results);
};

/** How long the real entry point takes to be ready, as a rolling deploy or a developer sees it. */
export const runReady = async (bench: Bench): Promise<Row[]> => {
  const { cores, options } = bench;
  const { databaseUrl } = await bench.candela();
  const dataDir = await mkdtemp(join(tmpdir(), 'candela-bench-'));
  try {
    const onPostgres = candelaEnv(databaseUrl, dataDir);
    const embedded = candelaEnv('', dataDir);
    const first = await startOnce(cores, embedded);
    const seconds = (value: number) => `${value.toFixed(2)} s`;
    return [
      {
        name: 'ready',
        notes: {
          'on an existing PostgreSQL after': seconds(
            await repeat(options.rounds, () => startOnce(cores, onPostgres)),
          ),
          'on an existing embedded database after': seconds(
            await repeat(options.rounds, () => startOnce(cores, embedded)),
          ),
          'with an embedded database to be made after': seconds(first),
        },
      },
    ];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};
