import { setTimeout as wait } from 'node:timers/promises';
import { type Cluster, createTokenRequests } from '../support/cluster.ts';
import type { Answer } from '../support/user-agent.ts';
import { counted, createTally, type Home, linkHomes } from './load.ts';

const HOMES = 6;
const PAUSE_MS = 50;

/**
 * Apps that refresh and introspect, and people who open pages, at every process in turn, repeatedly and without
 * retries. Counts the responses, and measures the slowest response.
 */
export const startWatch = async (
  cluster: Cluster,
  { ports = cluster.ports }: { ports?: readonly number[] } = {},
) => {
  const browser: Cluster['browser'] = (options) => cluster.browser({ ports, ...options });
  const { app, homes } = await linkHomes(cluster, HOMES);
  const { agent } = await cluster.signUp(undefined, browser());
  const tally = createTally();
  const longest = { seconds: 0 };
  let lastFailure = performance.now();
  let lastOutage = lastFailure;
  let isEnded = false;

  const timed = async (send: () => Promise<Answer>): Promise<Answer> => {
    const started = performance.now();
    const answer = await counted(tally, send);
    longest.seconds = Math.max(longest.seconds, (performance.now() - started) / 1000);
    if (answer.status >= 400) lastFailure = performance.now();
    if (answer.status >= 500) lastOutage = lastFailure;
    return answer;
  };
  const requests = createTokenRequests({ ...cluster, browser }, app, timed);
  const keep = async (work: () => Promise<unknown>) => {
    for (; !isEnded; await wait(PAUSE_MS))
      await work().catch(() => {
        lastFailure = performance.now();
        lastOutage = lastFailure;
      });
  };
  const refresh = (home: Home) => async () => {
    const answer = await requests.refresh(home.token);
    if (answer.status === 200) home.token = answer.json().refresh_token;
  };
  const running = Promise.all([
    ...homes.map((home) => keep(refresh(home))),
    keep(() => requests.isActive(homes[0]?.token ?? '')),
    keep(() => timed(() => agent.get('/api/account'))),
    keep(() => timed(() => browser().get('/login'))),
  ]);

  return {
    tally,
    /** The slowest response since the last call. */
    takeLongest: (): number => {
      const { seconds } = longest;
      longest.seconds = 0;
      return seconds;
    },
    /** Seconds from `since`, by `performance.now()`, to the last failed response; 0 without failures. */
    failedUntil: (since: number): number => Math.max(0, (lastFailure - since) / 1000),
    /** As `failedUntil`, without the responses that refuse a request. */
    awayUntil: (since: number): number => Math.max(0, (lastOutage - since) / 1000),
    /** Resolves to the number of homes that still refresh. */
    stop: async (): Promise<{ alive: number; of: number }> => {
      isEnded = true;
      await running;
      const last = createTokenRequests({ ...cluster, browser }, app);
      const answers = await Promise.all(homes.map(({ token }) => last.refresh(token)));
      return { alive: answers.filter(({ status }) => status === 200).length, of: homes.length };
    },
  };
};
