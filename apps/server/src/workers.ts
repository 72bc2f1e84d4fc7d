import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from './logger.ts';
import { StartError } from './start-error.ts';

/** How long to wait before a worker that ended is replaced. */
const REPLACE_MS = 1_000;

export interface Workers {
  /** Lets each worker drain, and resolves when all have ended. */
  stop(): Promise<void>;
}

/** Resolves when the worker listens. */
const startWorker = async (): Promise<Worker> => {
  const worker = cluster.fork();
  const ending = new AbortController();
  const { signal } = ending;
  const [listens] = await Promise.race([
    once(worker, 'listening', { signal }).then(() => [true]),
    once(worker, 'exit', { signal }).then(() => [false]),
  ]);
  ending.abort();
  // The worker has printed the reason.
  if (!listens) throw new StartError('a worker did not start');
  return worker;
};

/**
 * Starts `count` workers that serve one port. The primary process hands each connection to one of them.
 * @throws StartError when a worker does not start.
 */
export const startWorkers = async (count: number, logger: Logger): Promise<Workers> => {
  let stopping = false;
  const watch = (worker: Worker) => {
    worker.once('exit', async (exitCode, killedBy) => {
      if (stopping) return;
      logger.error({ pid: worker.process.pid, exitCode, killedBy }, 'a worker ended and is replaced');
      await wait(REPLACE_MS);
      while (!stopping) {
        const replaced = await startWorker().then(watch, (err: unknown) => {
          logger.error({ err }, 'a worker could not be replaced');
          return wait(REPLACE_MS, false);
        });
        if (replaced !== false) return;
      }
    });
  };
  const stop = async () => {
    stopping = true;
    await Promise.all(
      Object.values(cluster.workers ?? {}).map(async (worker) => {
        if (!worker || worker.isDead()) return;
        const exited = once(worker, 'exit');
        worker.process.kill('SIGTERM');
        await exited;
      }),
    );
  };
  try {
    await Promise.all(Array.from({ length: count }, async () => watch(await startWorker())));
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
};
