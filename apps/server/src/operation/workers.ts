import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../ground/logger.ts';
import { StartError } from '../ground/start-error.ts';

/** How long to wait before a worker that ended is replaced. */
const REPLACE_MS = 1_000;

/** What a worker tells the first process once it serves. */
const SERVES = 'candela:serves';

/** In a worker: tells the first process that it serves. */
export const tellServing = (): void => void process.send?.(SERVES);

export interface Workers {
  /** Lets each worker drain, and resolves when all have ended. */
  stop(): Promise<void>;
}

interface Running {
  worker: Worker;
  ended: Promise<{ exitCode: number | null; killedBy: string | null }>;
}

/** Resolves when the worker serves. */
const startWorker = async (): Promise<Running> => {
  const worker = cluster.fork();
  const ended = once(worker, 'exit').then(([exitCode, killedBy]) => ({ exitCode, killedBy }));
  const serves = new Promise<true>((resolve) => {
    worker.on('message', (message) => message === SERVES && resolve(true));
  });
  // The worker has printed the reason.
  if ((await Promise.race([serves, ended])) !== true) throw new StartError('a worker did not start');
  return { worker, ended };
};

export interface WorkersOptions {
  count: number;
  logger: Pick<Logger, 'error'>;
  /**
   * Makes sure that no other server has the port, and keeps others from it until `release`. Is called before workers
   * start while none serves.
   * @throws StartError when another process has the port
   */
  claim(): Promise<{ release(): Promise<void> }>;
}

/** Starts workers one by one or together, under one claim while none serves. */
const createStarting = (
  claim: WorkersOptions['claim'],
  serving: ReadonlySet<Worker>,
  isStopping: () => boolean,
) => {
  let starting = 0;
  let claimed: ReturnType<WorkersOptions['claim']> | undefined;
  const release = async () => {
    const held = claimed;
    claimed = undefined;
    await held?.then(
      (one) => one.release(),
      () => undefined,
    );
  };
  return async (): Promise<Running> => {
    starting += 1;
    if (serving.size === 0) claimed ??= claim();
    try {
      await claimed;
      if (isStopping()) throw new StartError('the workers end');
      return await startWorker();
    } finally {
      starting -= 1;
      if (starting === 0) await release();
    }
  };
};

/**
 * Starts `count` workers that serve one port, and replaces each that ends.
 * @throws StartError when a worker does not start.
 */
export const startWorkers = async ({ count, logger, claim }: WorkersOptions): Promise<Workers> => {
  let stopping = false;
  const serving = new Set<Worker>();
  const start = createStarting(claim, serving, () => stopping);
  const replace = async () => {
    while (!stopping) {
      await wait(REPLACE_MS);
      const running = await start().catch((err: unknown) => {
        if (!stopping) logger.error({ err }, 'a worker could not be replaced');
        return undefined;
      });
      if (running) return watch(running);
    }
  };
  const watch = async ({ worker, ended }: Running): Promise<void> => {
    serving.add(worker);
    const { exitCode, killedBy } = await ended;
    serving.delete(worker);
    if (stopping) return;
    logger.error({ pid: worker.process.pid, exitCode, killedBy }, 'a worker ended and is replaced');
    await replace();
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
    await Promise.all(Array.from({ length: count }, async () => void watch(await start())));
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
};
