import { testDatabaseUrl } from '@candela/server/testing/databases';
import type { Cluster } from '../support/cluster.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';

export const PARALLEL = 50;
/** Where many requests want one thing, the lack of a guard shows in the first round. */
export const ROUNDS = process.env.FULL ? 100 : 2;
/** Where one request has to meet others at its moment, the lack of a guard shows in one of a few rounds. */
export const MEETINGS = process.env.FULL ? 100 : 5;
/** Time for the full volume on two cores. */
export const RACE_TIMEOUT = 15 * 60_000;

/** The suffix of a suite’s title that explains why the suite is skipped. */
export const skipped = testDatabaseUrl ? '' : ' (skipped: TEST_DATABASE_URL is not set)';

export const inParallel = <T>(work: (index: number) => Promise<T>, count = PARALLEL): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** The status of an answer of the REST API, or the code of its error. */
export const outcomeOf = (answer: Answer): string | number =>
  answer.status < 400 ? answer.status : answer.json().error.code;

/** The number of occurrences of each value. */
export const tally = (values: readonly (string | number)[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
};

/** Links `count` homes of one account to the app, each with its own grant, and returns their refresh tokens. */
export const linkHomes = async (
  cluster: Cluster,
  { agent, app }: { agent: UserAgent; app: Awaited<ReturnType<Cluster['registerApp']>> },
  count: number,
): Promise<string[]> => {
  const tokens: string[] = [];
  while (tokens.length < count) {
    const { refresh_token } = (await cluster.link(agent, app.rp)).tokens;
    if (!refresh_token) throw new Error('the app got no refresh token');
    tokens.push(refresh_token);
  }
  return tokens;
};
