import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { startCluster } from '../support/cluster.ts';
import type { Drill } from './drill.ts';

const SOCKETS = 2_000;
const REQUESTS = 300;
const TRICKLE_MS = 5_000;
/** The server's limit for the head of a request, and the pause between its checks. */
const CUT_SECONDS = 30 + 10;

const HEAD = 'Host: localhost\r\nContent-Type: application/json\r\n';

/** How a client is slow: what it sends at first; afterwards it sends a byte at a time. */
const manners = [
  { first: '', sends: false },
  { first: `POST /api/codes HTTP/1.1\r\n${HEAD}X-Slow: `, sends: true },
  { first: `POST /api/codes HTTP/1.1\r\n${HEAD}Content-Length: 60000\r\n\r\n`, sends: true },
];

/** Opens the sockets, and counts those that the server has ended. */
const beSlow = async (port: number) => {
  const sockets: Socket[] = [];
  const ended = { heads: 0 };
  for (let index = 0; index < SOCKETS; index += 1) {
    const manner = index % manners.length;
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
    socket.once('close', () => {
      if (manner === 1) ended.heads += 1;
    });
    socket.write(manners[manner]?.first ?? '');
    sockets.push(socket);
  }
  const trickle = setInterval(() => {
    for (const [index, socket] of sockets.entries())
      if (manners[index % manners.length]?.sends && socket.writable) socket.write('1');
  }, TRICKLE_MS);
  return {
    heads: sockets.filter((_, index) => index % manners.length === 1).length,
    ended,
    end: async () => {
      clearInterval(trickle);
      for (const socket of sockets) socket.destroy();
    },
  };
};

export const drill: Drill = {
  name: 'slow-clients',
  // PL9 of docs/what-must-hold.md.
  breaks:
    '2,000 clients connect to one process; a third says nothing, a third sends a head and a third a body, a byte every 5 s',
  passes:
    'the 95th percentile of another client is less than twice that without them, nothing of it fails, and whoever sends no whole head is cut off within 40 s',
  limitSeconds: 120,
  run: async (place) => {
    const postgres = await place.startPostgres({ shared_buffers: '64MB' });
    const cluster = await startCluster({ databaseUrl: await postgres.createDatabase('drill'), processes: 1 });
    place.onEnd(() => cluster.close());
    const { agent } = await cluster.signUp();
    let failed = 0;
    let sentInAll = 0;
    const measure = async (): Promise<number> => {
      sentInAll += REQUESTS;
      const times: number[] = [];
      for (let sent = 0; sent < REQUESTS; sent += 1) {
        const started = performance.now();
        const { status } = await agent.get('/api/account');
        times.push(performance.now() - started);
        if (status !== 200) failed += 1;
      }
      return times.toSorted((a, b) => a - b)[Math.floor(REQUESTS * 0.95)] ?? Number.NaN;
    };
    /** What else the machine does lengthens some windows; the quietest is compared. */
    const quietest = async () => Math.min(await measure(), await measure(), await measure());
    // Until the code is compiled.
    await measure();
    const alone = await quietest();
    const slow = await beSlow(cluster.ports[0] ?? 0);
    place.onEnd(slow.end);
    const startedAt = performance.now();
    const beside = await quietest();
    while (slow.ended.heads < slow.heads && performance.now() - startedAt < CUT_SECONDS * 1000)
      await wait(200);
    const cutSeconds = (performance.now() - startedAt) / 1000;
    return {
      passed: beside < 2 * alone && failed === 0 && slow.ended.heads === slow.heads,
      figures:
        `95th percentile ${alone.toFixed(1)} ms without and ${beside.toFixed(1)} ms beside ${SOCKETS} slow clients; ` +
        `${failed} of ${sentInAll} failed; ${slow.ended.heads} of ${slow.heads} heads cut off within ${cutSeconds.toFixed(0)} s`,
    };
  },
};
