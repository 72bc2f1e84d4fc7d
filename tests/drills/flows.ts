import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Cluster, createTokenRequests } from '../support/cluster.ts';
import { createRetry, createTally, type Home, refreshHome } from './load.ts';

const TRIES = 1_200;
const RETRY_MS = 50;

/** Writes acknowledged to a person and to the app, which therefore must last. */
interface Flow {
  identifier: string;
  registered: boolean;
  home?: Home;
}

/** Repeats the action until it succeeds. */
export const persist = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (left === 0) throw error;
      await wait(RETRY_MS);
    }
  }
};

/** The rows missing of an account that its registration creates together with it. */
const countHalfAccounts = async ({ db }: Cluster): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select cast(count(*) as integer) as count from account
    where not exists (select from account_identifier where account_id = account.id)
      or not exists (select from password where account_id = account.id)`.execute(db);
  return rows[0]?.count ?? Number.NaN;
};

/** A code that was redeemed twice leaves two first refresh tokens in its grant. */
const countDoubleSpent = async ({ db }: Cluster): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select cast(count(*) as integer) as count from (
      select from refresh_token where predecessor_hash is null group by grant_id having count(*) > 1
    ) as twice`.execute(db);
  return rows[0]?.count ?? Number.NaN;
};

const isKnown = async ({ db }: Cluster, identifier: string): Promise<boolean> =>
  (await db.selectFrom('account_identifier').select('value').where('value', '=', identifier).execute())
    .length > 0;

/**
 * People who register, sign in, link a home and refresh it, one after the other in each of `atOnce` lanes. They try
 * again after a failure, as people and apps do.
 */
export const startFlows = async (
  cluster: Cluster,
  { atOnce, retryMs }: { atOnce: number; retryMs?: number },
) => {
  const tally = createTally();
  const retry = createRetry(tally, retryMs);
  const app = await cluster.registerApp();
  const flows: Flow[] = [];
  let failed = 0;
  let ended = false;

  const perform = async (flow: Flow) => {
    const { identifier } = flow;
    await persist(async () => {
      try {
        await cluster.signUp(identifier, cluster.browser({ retry }));
      } catch {
        // The response may have been lost, although the registration succeeded.
        await cluster.signIn(identifier, cluster.browser({ retry }));
      }
    });
    flow.registered = true;
    const agent = cluster.browser({ retry });
    await persist(() => cluster.signIn(identifier, agent));
    const { tokens } = await persist(() => cluster.link(agent, app.rp));
    const home = { token: tokens.refresh_token ?? '', refreshes: 0 };
    flow.home = home;
    const requests = createTokenRequests(cluster, app, retry);
    for (let turn = 0; turn < 2; turn += 1) {
      if (!(await refreshHome(home, requests))) throw new Error('a refresh was refused');
    }
  };
  const walk = async () => {
    while (!ended) {
      const flow: Flow = { identifier: `${randomBytes(6).toString('hex')}@example.com`, registered: false };
      flows.push(flow);
      await perform(flow).catch(() => {
        failed += 1;
      });
    }
  };
  const walks = Promise.all(Array.from({ length: atOnce }, walk));
  return {
    tally,
    /** Lets the flows under way finish. */
    stop: async () => {
      ended = true;
      await walks;
    },
    /** The acknowledged rows that are lost, and the rows that should not exist; call it after `stop`. */
    examine: async () => {
      const requests = createTokenRequests(cluster, app, retry);
      let lostAccounts = 0;
      let lostLinks = 0;
      for (const { identifier, registered, home } of flows) {
        if (registered && !(await isKnown(cluster, identifier))) lostAccounts += 1;
        if (home && !(await refreshHome(home, requests))) lostLinks += 1;
      }
      return {
        flows: flows.length,
        failed,
        lostAccounts,
        lostLinks,
        doubleSpent: await countDoubleSpent(cluster),
        halfAccounts: await countHalfAccounts(cluster),
      };
    },
  };
};
