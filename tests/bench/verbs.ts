import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The questions that a server’s process answers the bench over its IPC channel. */
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

/** Sent once, unasked, when the server listens. */
export interface Ready {
  port: number;
}

export interface Usage {
  /** Processor time of all threads since the start. */
  cpuMilliseconds: number;
  residentBytes: number;
  /** The 99th percentile of the delay of timers since the last question; Infinity if no timer ran. */
  loopDelayMilliseconds: number;
}

const LOOP_RESOLUTION_MS = 5;

const takeLoopDelay = (monitor: ReturnType<typeof monitorEventLoopDelay>): number => {
  // Each sample is the time between two timers, so the resolution is not part of the delay.
  const delay = monitor.percentile(99) / 1e6 - LOOP_RESOLUTION_MS;
  monitor.reset();
  return Math.max(0, delay);
};

/** Answers the parent process until it disconnects, after announcing that the server is ready. */
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
