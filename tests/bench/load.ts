import { openConnection, type Send } from './http-connection.ts';

/** Does the task number `index` over its worker’s connection; the time that it awaits is its latency. */
export type Work = (send: Send, index: number) => Promise<unknown>;

/** Where a server listens, and the host that it expects. */
export interface Target {
  port: number;
  host: string;
}

export interface Measured {
  perSecond: number;
  seconds: number;
  /** In milliseconds, one for each task. */
  latencies: number[];
}

const openConnections = (count: number, { port, host }: Target) =>
  Promise.all(Array.from({ length: count }, () => openConnection(port, host)));

/**
 * Does `count` tasks, `concurrency` at a time; each worker starts its next task when the last is answered. Timed from
 * the first to the last answer.
 */
export const runClosedLoop = async (
  target: Target,
  { count, concurrency }: { count: number; concurrency: number },
  work: Work,
): Promise<Measured> => {
  const connections = await openConnections(Math.min(concurrency, count), target);
  const latencies: number[] = [];
  let next = 0;
  const started = performance.now();
  try {
    await Promise.all(
      connections.map(async ({ send }) => {
        while (next < count) {
          const index = next++;
          const before = performance.now();
          await work(send, index);
          latencies.push(performance.now() - before);
        }
      }),
    );
  } finally {
    for (const connection of connections) connection.close();
  }
  const seconds = (performance.now() - started) / 1000;
  return { perSecond: count / seconds, seconds, latencies };
};

/**
 * Starts tasks at a fixed rate, whatever the server does, until `until` returns true. A latency counts from the time
 * at which the task was due, so that a stall shows in every task that it delayed.
 */
export const runAtRate = async (
  target: Target,
  { perSecond, connections: count }: { perSecond: number; connections: number },
  work: Work,
  until: () => boolean,
): Promise<Measured> => {
  const connections = await openConnections(count, target);
  const latencies: number[] = [];
  const started = performance.now();
  let next = 0;
  try {
    await Promise.all(
      connections.map(async ({ send }) => {
        while (!until()) {
          const index = next++;
          const due = started + (index * 1000) / perSecond;
          const early = due - performance.now();
          if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
          await work(send, index);
          latencies.push(performance.now() - due);
        }
      }),
    );
  } finally {
    for (const connection of connections) connection.close();
  }
  const seconds = (performance.now() - started) / 1000;
  return { perSecond: latencies.length / seconds, seconds, latencies };
};
