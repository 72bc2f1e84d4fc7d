import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { type Cores, onServerCore } from '../cores.ts';
import { startMainProcess } from '../main-process.ts';
import type { Row } from '../result.ts';
import { median } from '../statistics.ts';
import { candelaEnv } from '../subject.ts';

/** Seconds from the start of the server's process to the first 200 of /readyz. */
const startOnce = async (cores: Cores, env: Record<string, string>): Promise<number> => {
  const started = performance.now();
  const server = await startMainProcess((command) => onServerCore(cores, command), env);
  const seconds = (performance.now() - started) / 1000;
  await server.stop();
  return seconds;
};

const repeat = async (count: number, work: () => Promise<number>): Promise<number> => {
  const results: number[] = [];
  while (results.length < count) results.push(await work());
  return median(results);
};

/** The time until the real entry point is ready, as in a rolling deploy or on a developer’s machine. */
export const runReady = async (bench: Bench): Promise<Row[]> => {
  const { cores, options } = bench;
  const { databaseUrl } = await bench.candela();
  const dataDir = await mkdtemp(join(tmpdir(), 'candela-bench-'));
  try {
    const onPostgres = candelaEnv(databaseUrl, dataDir);
    const cached = { ...onPostgres, NODE_COMPILE_CACHE: join(dataDir, 'compiled') };
    const embedded = candelaEnv('', dataDir);
    // Its end writes the cache.
    await startOnce(cores, cached);
    const first = await startOnce(cores, embedded);
    const seconds = (value: number) => `${value.toFixed(2)} s`;
    return [
      {
        name: 'ready',
        notes: {
          'on an existing PostgreSQL after': seconds(
            await repeat(options.rounds, () => startOnce(cores, onPostgres)),
          ),
          'the same with a compile cache after': seconds(
            await repeat(options.rounds, () => startOnce(cores, cached)),
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
