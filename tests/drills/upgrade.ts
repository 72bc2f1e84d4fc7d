import { setTimeout as wait } from 'node:timers/promises';
import { type Cluster, createTokenRequests } from '../support/cluster.ts';
import { createRelyingParty } from '../support/relying-party.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createAttempts } from './attempts.ts';
import { app, appEntry } from './file-app.ts';
import { counted, createTally, type Home, refreshHome } from './load.ts';

const HOMES = 6;
const PATHS = ['/.well-known/openid-configuration', '/oauth/jwks', '/login'];

/** An app of CLIENTS_FILE, so that the release that runs first registers it. */
export const upgradeClients = [appEntry];

/** Another release for the process of this index: the file that starts it, or none for this checkout. */
interface UpgradeStep {
  index: number;
  main: string | undefined;
}

/** People and apps that work at `cluster` through its proxy, without trying again. */
const startWork = async (cluster: Cluster, everyMs: number) => {
  const tally = createTally();
  const attempts = createAttempts();
  const browser = () => cluster.browser({ retry: (send) => counted(tally, send) });
  const rp = await createRelyingParty({ issuer: cluster.origin, ...app });
  const tokens = createTokenRequests({ ...cluster, browser }, app);
  const people: { identifier: string; agent: UserAgent }[] = [];
  const homes: Home[] = [];
  const running = new AbortController();

  const newcomer = async () => {
    const person = await cluster.signUp(undefined, browser());
    const { tokens: first } = await cluster.link(person.agent, rp);
    // Not before: an approval gives the session a new id, and requests under way have the old one.
    people.push(person);
    homes.push({ token: first.refresh_token ?? '', refreshes: 0 });
  };
  const refresh = async (home: Home | undefined) => {
    if (home && !(await refreshHome(home, tokens))) throw new Error('a refresh was refused');
  };
  const introspect = async (home: Home | undefined) => {
    if (home && !(await tokens.isActive(home.token))) throw new Error('a live token is not active');
  };
  const useSession = async (person: (typeof people)[number] | undefined) => {
    const answer = await person?.agent.get('/api/account');
    if (answer?.status !== 200) throw new Error(`a session is answered ${answer?.status}: ${answer?.body}`);
  };
  const signOn = async (person: (typeof people)[number] | undefined) => {
    if (!person) return;
    const agent = browser();
    await cluster.signIn(person.identifier, agent);
    await cluster.link(agent, rp);
  };
  const keep = async (name: string, work: (turn: number) => Promise<unknown>, pauseMs = 0) => {
    for (let turn = 0; !running.signal.aborted; turn += 1) {
      await attempts.run(name, () => work(turn));
      await wait(pauseMs);
    }
  };
  while (homes.length < HOMES) await newcomer();
  const [watched, ...kept] = [...homes];
  const visitor = browser();
  const load = Promise.all([
    ...kept.map((home) => keep('refreshes', () => refresh(home), everyMs)),
    keep('introspections', () => introspect(watched), everyMs),
    keep('uses of sessions', (turn) => useSession(people[turn % people.length]), everyMs),
    keep('reads', (turn) => visitor.get(PATHS[turn % PATHS.length] ?? '/'), everyMs),
    keep('registrations', newcomer, 15 * everyMs),
    keep('sign-ins', (turn) => signOn(people[turn % people.length]), 15 * everyMs),
  ]);
  return {
    tally,
    attempts,
    /** Ends the load, and uses everything once that was ever acknowledged. */
    stop: async () => {
      running.abort();
      await load;
      for (const person of people) await attempts.run('sessions at the end', () => useSession(person));
      for (const home of homes) await attempts.run('links at the end', () => refresh(home));
    },
  };
};

/** Waits for `pauseMs`, and until the load was answered some more times: a busy machine answers few in that time. */
const workOn = async (tally: ReturnType<typeof createTally>, pauseMs: number): Promise<void> => {
  const before = tally.of(200);
  await wait(pauseMs);
  while (tally.of(200) < before + 30) await wait(50);
};

/**
 * Runs processes of two releases on one database, under load: each step ends a process as an operator does, and starts
 * the release of the step in its place.
 * @param cluster processes of the previous release behind a proxy, with `upgradeClients`
 */
export const rollThrough = async (
  cluster: Cluster,
  { steps, pauseMs, everyMs = 20, say = () => undefined }: UpgradeOptions,
) => {
  const work = await startWork(cluster, everyMs);
  const forced: number[] = [];
  for (const { index, main } of steps) {
    await workOn(work.tally, pauseMs);
    if ((await cluster.processes[index]?.stop()) !== 0) forced.push(index);
    await cluster.restart(index, {}, main);
    say(`process ${index} is ${main ? 'of the previous release' : 'of this one'}: ${work.tally}`);
  }
  await workOn(work.tally, pauseMs);
  await work.stop();
  return {
    tally: work.tally,
    /** Other answers than those of a service that nobody restarts; the sign-in page and interactions redirect. */
    strange: work.tally.beside(200, 201, 202, 204, 303),
    failed: work.attempts.failed() + forced.length,
    firstFailure: work.attempts.firstFailure(),
    figures: `${work.attempts.figures()}; ${work.tally}`,
  };
};

interface UpgradeOptions {
  steps: readonly UpgradeStep[];
  /** For how long the releases work side by side between steps. */
  pauseMs: number;
  /** The pause of a home between its requests; people pause for longer. */
  everyMs?: number;
  say?(line: string): void;
}
