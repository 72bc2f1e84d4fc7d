import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { PASSWORD } from '../support/world.ts';
import type { Drill } from './drill.ts';
import { startWatch } from './watch.ts';

const BUSY_MS = 1_000;
const CUT_EVERY_MS = 150;
const CUT_FOR_MS = 15_000;
const PEOPLE = 4;
const PRESSES = 40;
const PAUSE_MS = 100;

interface Agreement {
  id: string;
  version: string;
}

/** Repeats a request until it succeeds, as a page does, with the ticket once there is one. */
const press = async (agent: UserAgent, uid: string, body: Record<string, unknown>): Promise<Answer> => {
  const path = `/interaction/${uid}/register`;
  let ticket: string | undefined;
  for (let left = PRESSES; ; left -= 1) {
    const { code: _code, ...rest } = body;
    const answer = await agent.post(path, ticket ? { ...rest, ticket } : body);
    if (answer.status === 401 && ticket) ticket = undefined;
    else if (answer.status !== 503 || left === 0) return answer;
    else ticket = answer.json().error.ticket ?? ticket;
    await wait(PAUSE_MS);
  }
};

/** Repeats the action until it succeeds. */
const persist = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let left = PRESSES; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (left === 0) throw error;
      await wait(PAUSE_MS);
    }
  }
};

/** One person, who registers with a single code. */
const registerOnce = async (cluster: Cluster): Promise<void> => {
  const identifier = `${randomBytes(6).toString('hex')}@example.com`;
  const agent = cluster.browser();
  const uid = await persist(async () => cluster.interactionOf((await agent.navigate('/register')).url));
  const code = await persist(() => cluster.receiveCode(agent, identifier, 'register'));
  const accepted = await persist(async () =>
    (await cluster.details(agent, uid)).agreements.map(({ id, version }: Agreement) => ({ id, version })),
  );
  const answer = await press(agent, uid, { identifier, code, password: PASSWORD, agreements: accepted });
  // The registration is complete, although its response was lost.
  const path = answer.status === 410 ? `/interaction/${uid}` : answer.json().returnTo;
  if (!path) throw new Error(`${answer.status} ${answer.body}`);
  await persist(async () => {
    await agent.navigate(path);
    const account = await agent.get('/api/account');
    if (account.status !== 200) throw new Error(`${account.status} after ${answer.status} ${answer.body}`);
  });
};

export const drill: Drill = {
  name: 'cut-connections',
  row: 'DR15',
  breaks: 'all connections to the database are cut every 150 ms for 15 s while people register',
  passes: 'every registration finishes with its one code, every answer is 200 or 503, no link is lost',
  limitSeconds: 60,
  run: async (place) => {
    const postgres = await place.startPostgres({ shared_buffers: '64MB' });
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: postgres.port });
    place.onEnd(() => proxy.close());
    const databaseUrl = proxy.through(await postgres.createDatabase('drill'));
    const cluster = await startCluster({ databaseUrl, processes: 2 });
    place.onEnd(() => cluster.close());
    const watch = await startWatch(cluster);
    await wait(BUSY_MS);

    const end = performance.now() + CUT_FOR_MS;
    let cuts = 0;
    const cutting = (async () => {
      for (; performance.now() < end; await wait(CUT_EVERY_MS)) cuts += proxy.cut();
    })();
    const outcomes = { registered: 0, failed: [] as string[] };
    const walk = async () => {
      while (performance.now() < end) {
        await registerOnce(cluster).then(
          () => {
            outcomes.registered += 1;
          },
          (error: unknown) => outcomes.failed.push(String(error)),
        );
      }
    };
    await Promise.all([cutting, ...Array.from({ length: PEOPLE }, walk)]);
    const { alive, of } = await watch.stop();
    if (outcomes.failed[0]) place.say(outcomes.failed[0]);
    return {
      passed:
        outcomes.failed.length === 0 &&
        outcomes.registered > 0 &&
        watch.tally.beside(200, 303, 503) === 0 &&
        alive === of,
      figures:
        `${cuts} connections cut; ${outcomes.registered} registered with one code, ${outcomes.failed.length} not; ` +
        `requests: ${watch.tally}; ${of - alive} of ${of} links lost`,
    };
  },
};
