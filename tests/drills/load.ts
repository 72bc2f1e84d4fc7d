import { setTimeout as wait } from 'node:timers/promises';
import {
  type Cluster,
  type ClusterOptions,
  type createTokenRequests,
  startCluster,
} from '../support/cluster.ts';
import type { Answer } from '../support/user-agent.ts';
import { freePort } from '../support/world.ts';
import type { DrillPlace } from './drill.ts';
import { startProxy } from './proxy.ts';

const RETRY_MS = 50;
const RETRIES = 1_200;

/** Counts the requests of a drill by status, or by the code of a connection’s error. */
export const createTally = () => {
  const counts = new Map<string, number>();
  const count = (outcome: string | number) =>
    void counts.set(String(outcome), (counts.get(String(outcome)) ?? 0) + 1);
  return {
    count,
    of: (outcome: string | number) => counts.get(String(outcome)) ?? 0,
    /** The number of requests with another outcome. */
    beside: (...outcomes: number[]) =>
      [...counts].reduce((sum, [outcome, n]) => (outcomes.map(String).includes(outcome) ? sum : sum + n), 0),
    toString: () => [...counts].map(([outcome, n]) => `${n} x ${outcome}`).join(', ') || 'none',
  };
};

export type Tally = ReturnType<typeof createTally>;

const codeOf = (error: unknown): string => {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return cause?.code ?? code ?? String(error);
};

/** Sends a request, and counts its outcome. */
export const counted = async <A extends Pick<Answer, 'status'>>(
  tally: Tally,
  send: () => Promise<A>,
): Promise<A> => {
  try {
    const answer = await send();
    tally.count(answer.status);
    return answer;
  } catch (error) {
    tally.count(codeOf(error));
    throw error;
  }
};

const isAway = ({ status }: Answer) => status === 502 || status === 503 || status === 504;

/** Repeats a request until it gets a response other than 502, 503 and 504, as clients do. */
export const createRetry =
  (tally: Tally, retryMs = RETRY_MS) =>
  async (send: () => Promise<Answer>) => {
    for (let left = RETRIES; ; left -= 1) {
      const answer = await counted(tally, send).catch((error: unknown) => {
        if (left === 0) throw error;
        return undefined;
      });
      if (answer && (!isAway(answer) || left === 0)) return answer;
      await wait(retryMs);
    }
  };

/** Processes on a PostgreSQL server, and an nginx in front of them; all of them end with the drill. */
export const startFarmOn = async (
  place: DrillPlace,
  databaseUrl: string,
  options: Omit<ClusterOptions, 'databaseUrl'>,
) => {
  const front = await freePort();
  const cluster = await startCluster({
    ...options,
    databaseUrl,
    front,
    env: { TRUST_PROXY: '1', ...options.env },
  });
  place.onEnd(() => cluster.close());
  const proxy = await startProxy(
    front,
    cluster.processes.map(({ port }) => port),
  );
  place.onEnd(() => proxy.stop());
  return { cluster };
};

/** A PostgreSQL server, and a farm on it; all of it ends with the drill. */
export const startFarm = async (place: DrillPlace, options: Omit<ClusterOptions, 'databaseUrl'>) => {
  const postgres = await place.startPostgres();
  return { postgres, ...(await startFarmOn(place, await postgres.createDatabase('drill'), options)) };
};

type App = Awaited<ReturnType<Cluster['registerApp']>>;

/** A home’s app, with its current refresh token. */
export interface Home {
  token: string;
  refreshes: number;
}

/** Refreshes a home’s link and keeps the successor; false if the status is not 200. */
export const refreshHome = async (
  home: Home,
  tokens: ReturnType<typeof createTokenRequests>,
): Promise<boolean> => {
  const answer = await tokens.refresh(home.token);
  if (answer.status !== 200) return false;
  home.token = answer.json().refresh_token;
  home.refreshes += 1;
  return true;
};

/** One person with an app and `count` homes linked to it. */
export const linkHomes = async (
  cluster: Cluster,
  count: number,
): Promise<{ app: App; homes: Home[]; identifier: string }> => {
  const app = await cluster.registerApp();
  const { agent, identifier } = await cluster.signUp();
  const homes: Home[] = [];
  while (homes.length < count) {
    const { tokens } = await cluster.link(agent, app.rp);
    homes.push({ token: tokens.refresh_token ?? '', refreshes: 0 });
  }
  return { app, homes, identifier };
};
