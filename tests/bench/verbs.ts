import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a server's process answers the bench over its IPC channel. */
export type Verbs = Record<string, (argument: never) => unknown>;

interface Question {
  id: number;
  verb: string;
  argument?: unknown;
}

export interface Reply {
  id: number;
  value?: unknown;
  error?: string;
}

/** Said once, unasked, when the server listens. */
export interface Ready {
  port: number;
}

export interface Usage {
  /** Processor time of all threads since the start. */
  cpuMilliseconds: number;
  residentBytes: number;
  /** The 99th percentile of how late timers were since the last question; Infinity when none ran at all. */
  loopDelayMilliseconds: number;
}

const LOOP_RESOLUTION_MS = 5;

const takeLoopDelay = (monitor: ReturnType<typeof monitorEventLoopDelay>): number => {
  // What is sampled is the time between two timers, of which the resolution is no delay.
  const delay = monitor.percentile(99) / 1e6 - LOOP_RESOLUTION_MS;
  monitor.reset();
  return Math.max(0, delay);
};

/** Answers the parent process until it goes away, and says first that the server is ready. */
export const serveVerbs = (verbs: Verbs, ready: Ready): void => {
  const monitor = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  monitor.enable();
  const all: Verbs = {
    ...verbs,
    usage: (): Usage => {
      const { user, system } = process.cpuUsage();
      return {
        cpuMilliseconds: (user + system) / 1000,
        residentBytes: process.memoryUsage.rss(),
        loopDelayMilliseconds: takeLoopDelay(monitor),
      };
    },
  };
  process.on('message', async ({ id, verb, argument }: Question) => {
    try {
      const value = await all[verb]?.(argument as never);
      process.send?.({ id, value } satisfies Reply);
    } catch (error) {
      process.send?.({ id, error: (error as Error).stack ?? String(error) } satisfies Reply);
    }
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.(ready);
};
