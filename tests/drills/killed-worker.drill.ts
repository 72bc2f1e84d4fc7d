import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Drill } from './drill.ts';
import { startPlace } from './journeys.ts';
import { counted, createTally } from './load.ts';

const WORKERS = 2;
const CLIENTS = 60;
const KILLS = 5;
const BETWEEN_MS = 1_000;
const ANSWER_MS = 2_000;
/** After this time whoever got no answer has given up, and the new worker has its share. */
const SETTLE_MS = 4_000;
/** A client that lost its connection may lose the next one too. */
const MOST_LOST = 2 * CLIENTS;

const readSetting = (): string => {
  try {
    return readFileSync('/proc/sys/net/ipv4/tcp_migrate_req', 'utf8').trim();
  } catch {
    return 'unknown';
  }
};

/** How many sockets listen to a port (proc_net_tcp: the local address, and 0A for LISTEN). */
const countListeners = (port: number): number => {
  const local = new RegExp(`:\\s[0-9A-F]+:${port.toString(16).toUpperCase().padStart(4, '0')} \\S+ 0A `, 'g');
  return readFileSync('/proc/net/tcp', 'utf8').match(local)?.length ?? 0;
};

/** A request on a connection of its own. */
const ask = (port: number, host: string) =>
  new Promise<{ status: number }>((resolve, reject) => {
    const path = '/.well-known/openid-configuration';
    const sent = request({ host: '127.0.0.1', port, path, headers: { host }, agent: false }, (answer) => {
      answer
        .resume()
        .once('end', () => resolve({ status: answer.statusCode ?? 0 }))
        .once('error', reject);
    });
    sent.setTimeout(ANSWER_MS, () =>
      sent.destroy(Object.assign(new Error('no answer'), { code: 'no answer' })),
    );
    sent.once('error', reject).end();
  });

export const drill: Drill = {
  name: 'killed-worker',
  breaks: `one of two workers behind a port is killed with kill -9 five times, while ${CLIENTS} clients make a connection for every request`,
  passes:
    'only connections that the killed worker had or would have accepted are lost; each worker is replaced, and every answer is 200',
  limitSeconds: 120,
  run: async (place) => {
    const cluster = await startPlace(place, { processes: 1, env: { WORKERS: String(WORKERS) } });
    const [server] = cluster.processes;
    const { port = 0, pid } = server ?? {};
    const { host } = new URL(cluster.origin);
    const workers = () =>
      execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map(Number);
    const running = new AbortController();
    place.onEnd(async () => running.abort());
    const tally = createTally();
    const load = Array.from({ length: CLIENTS }, async () => {
      while (!running.signal.aborted) await counted(tally, () => ask(port, host)).catch(() => undefined);
    });

    const untilAllListen = async () => {
      while (countListeners(port) < WORKERS) await wait(50);
    };
    await untilAllListen();
    const lost: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await wait(BETWEEN_MS);
      const before = tally.beside(200);
      const [victim = 0] = workers();
      process.kill(victim, 'SIGKILL');
      while (workers().length < WORKERS || workers().includes(victim)) await wait(50);
      await untilAllListen();
      await wait(SETTLE_MS);
      lost.push(tally.beside(200) - before);
    }
    running.abort();
    await Promise.all(load);
    return {
      passed: workers().length === WORKERS && Math.max(...lost) <= MOST_LOST && tally.of(200) > 0,
      figures: `${tally}; lost at each kill: ${lost.join(', ')} (tcp_migrate_req ${readSetting()})`,
    };
  },
};
