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

const seconds = (value: number) => `${value.toFixed(2)} s`;

const inDataDir = async <T>(work: (dataDir: string) => Promise<T>): Promise<T> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'candela-bench-'));
  return work(dataDir).finally(() => rm(dataDir, { recursive: true, force: true }));
};

/** The time until the real entry point is ready, as in a rolling deploy. */
export const runReady = async (bench: Bench): Promise<Row> => {
  const { cores, options } = bench;
  const { databaseUrl } = await bench.candela();
  return inDataDir(async (dataDir) => {
    const plain = candelaEnv(databaseUrl, dataDir);
    const cached = { ...plain, NODE_COMPILE_CACHE: join(dataDir, 'compiled') };
    // Its end writes the cache.
    await startOnce(cores, cached);
    const start = async (env: Record<string, string>) =>
      seconds(await repeat(options.rounds, () => startOnce(cores, env)));
    return {
      name: 'ready',
      notes: {
        'on an existing PostgreSQL after': await start(plain),
        'the same with a compile cache after': await start(cached),
      },
    };
  });
};

/** The same without PostgreSQL, as on a developer’s machine. */
export const runReadyEmbedded = ({ cores, options }: Bench): Promise<Row> =>
  inDataDir(async (dataDir) => {
    const env = candelaEnv('', dataDir);
    const first = await startOnce(cores, env);
    const again = await repeat(options.rounds, () => startOnce(cores, env));
    return {
      name: 'ready-embedded',
      notes: {
        'on an existing embedded database after': seconds(again),
        'with an embedded database to be made after': seconds(first),
      },
    };
  });
