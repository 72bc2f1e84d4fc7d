import { setTimeout as wait } from 'node:timers/promises';
import { missingPrograms, type Patroni, startPatroni } from '../support/patroni.ts';
import type { Drill, DrillPlace } from './drill.ts';
import { startFlows } from './flows.ts';
import { startFarmOn } from './load.ts';
import { startWatch } from './watch.ts';

const PEOPLE = 4;
const BUSY_MS = 6_000;
const FAILOVERS = 2;
const BACK_SECONDS = 30;
const MOST_FAILED = 0.01;
/** A failover takes 20 s: 200 tries of a request outlast it. */
const RETRY_MS = 200;

interface Kind {
  name: string;
  breaks: string;
  passes: string;
  /** How the processes find the primary. */
  route: 'balancer' | 'hosts';
  /** Without it the standby is a second behind when the primary is killed. */
  synchronous: boolean;
}

/** Kills the primary, and resolves to the seconds until requests succeed again. */
const failOver = async (
  patroni: Patroni,
  watch: Awaited<ReturnType<typeof startWatch>>,
  behindMs: number,
) => {
  const old = await patroni.primary();
  const standby = old === 'one' ? 'two' : 'one';
  if (behindMs > 0) await patroni.holdLog(old);
  await wait(behindMs);
  const killedAt = performance.now();
  await patroni.kill(old);
  while (!(await patroni.members()).some(({ name, role }) => name === standby && role === 'leader'))
    await wait(100);
  const promoted = (performance.now() - killedAt) / 1000;
  // The old primary comes back as a standby.
  patroni.start(old);
  await patroni.untilWhole();
  return { promoted, failing: watch.awayUntil(killedAt) };
};

const run = async (place: DrillPlace, { route, synchronous }: Kind) => {
  const missing = missingPrograms();
  if (missing.length > 0) return { skipped: `not installed here: ${missing.join(', ')}` };
  const patroni = await startPatroni({ synchronous });
  place.onEnd(() => patroni.stop());
  place.say('two servers follow each other');
  const { cluster } = await startFarmOn(place, patroni.url, {
    processes: 2,
    ...(route === 'hosts' && { reach: patroni.byHosts }),
  });
  const pids = cluster.processes.map(({ pid }) => pid);
  const watch = await startWatch(cluster);
  const flows = await startFlows(cluster, { atOnce: PEOPLE, retryMs: RETRY_MS });
  const failingSeconds: number[] = [];
  for (let failover = 1; failover <= FAILOVERS; failover += 1) {
    await wait(BUSY_MS);
    const { promoted, failing } = await failOver(patroni, watch, synchronous ? 0 : 1_000);
    failingSeconds.push(failing);
    place.say(
      `failover ${failover}: promoted after ${promoted.toFixed(1)} s, working after ${failing.toFixed(1)} s`,
    );
  }
  await wait(BUSY_MS);
  await flows.stop();
  const { alive, of } = await watch.stop();
  const found = await flows.examine();
  const slowest = Math.max(...failingSeconds);
  const lost = found.lostAccounts + found.lostLinks + of - alive;
  const isAlike = cluster.processes.every(({ pid }, index) => pid === pids[index]);
  const unexpected = watch.tally.beside(200, 303, 503);
  return {
    passed:
      isAlike &&
      slowest < BACK_SECONDS &&
      found.doubleSpent + found.halfAccounts === 0 &&
      (!synchronous || (lost + unexpected === 0 && found.failed <= found.flows * MOST_FAILED)),
    figures:
      `${FAILOVERS} failovers; working again after ${failingSeconds.map((seconds) => seconds.toFixed(1)).join(' and ')} s; ` +
      `${found.flows} flows, ${found.failed} failed; ${found.lostAccounts} accounts and ${found.lostLinks + of - alive} links lost, ` +
      `${found.doubleSpent} spent twice, ${found.halfAccounts} half accounts; requests without retry: ${watch.tally}`,
  };
};

/** A drill in which the primary of two servers is killed, the standby takes its place, and back again. */
export const createFailoverDrill = (kind: Kind): Drill => ({
  name: kind.name,
  breaks: kind.breaks,
  passes: kind.passes,
  row: 'DR6',
  limitSeconds: 280,
  run: (place) => run(place, kind),
});
