import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/** The same request from many connections, each of which sends its next one when it has the answer to the last. */
export interface Flood {
  port: number;
  host: string;
  connections: number;
  seconds: number;
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface FloodResult {
  /** Answers a second, by status. */
  rate: Record<string, number>;
  /** Of answers with status 200, in milliseconds. */
  p50: number;
  p95: number;
  p99: number;
}

const PAUSE_MS = 20;

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

const send = ({ host, port, method, path, headers, body }: Flood, agent: Agent) =>
  new Promise<number>((resolve) => {
    const outgoing = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { host, 'content-length': Buffer.byteLength(body), ...headers },
      },
      (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    outgoing.on('error', () => resolve(0)).end(body);
  });

const perform = async (flood: Flood): Promise<FloodResult> => {
  const agent = new Agent({ keepAlive: true, maxSockets: flood.connections });
  const counts: Record<string, number> = {};
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + flood.seconds * 1000;
  const lane = async () => {
    while (performance.now() < end) {
      const sent = performance.now();
      const status = await send(flood, agent);
      counts[status] = (counts[status] ?? 0) + 1;
      if (status === 200) latencies.push(performance.now() - sent);
      // A client that is told to come back later does not come back at once.
      else await wait(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: flood.connections }, lane));
  agent.destroy();
  const seconds = (performance.now() - start) / 1000;
  latencies.sort((a, b) => a - b);
  return {
    rate: Object.fromEntries(Object.entries(counts).map(([status, count]) => [status, count / seconds])),
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    p99: quantile(latencies, 0.99),
  };
};

/** Floods from a thread of its own, so that it does not delay who measures beside it. */
export const startFlood = (flood: Flood): Promise<FloodResult> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: flood });
    worker.once('message', resolve).once('error', reject);
  });

if (parentPort) parentPort.postMessage(await perform(workerData as Flood));
