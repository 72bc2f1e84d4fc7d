import { createTokenRequests } from '../support/cluster.ts';
import type { Drill } from './drill.ts';
import { type Home, linkHomes, refreshHome, startFarm } from './load.ts';

const PROCESSES = 2;
const HOMES = 20;
const QUIET = 5;
const TURNS = 10;

export const drill: Drill = {
  name: 'restore',
  row: 'DR13',
  breaks: 'the database is backed up, used, destroyed with kill -9 and all its files, and restored',
  passes:
    'with the log of changes: people sign in, withdrawn stays withdrawn, every link is alive. ' +
    'From the copy alone: what is lost is counted',
  limitSeconds: 150,
  run: async (place) => {
    const { cluster, postgres } = await startFarm(place, { processes: PROCESSES });
    const { app, homes, identifier } = await linkHomes(cluster, HOMES);
    const quiet = homes.slice(0, QUIET);
    const active = homes.slice(QUIET, -1);
    const newest = homes.slice(-1);
    const requests = createTokenRequests(cluster, app);
    const countAlive = async (those: readonly Home[]) =>
      (await Promise.all(those.map((home) => refreshHome(home, requests)))).filter(Boolean).length;
    const canSignIn = (who: string) =>
      cluster.signIn(who).then(
        () => true,
        () => false,
      );
    /** Destroys the server, as if its machine were lost, and restores the backup on another. */
    const restore = async (backup: string, wal?: string) => {
      await Promise.all(cluster.processes.map((running) => running.kill()));
      await postgres.destroy();
      const start = performance.now();
      await postgres.restore(backup, wal);
      await Promise.all(cluster.processes.map((_, index) => cluster.restart(index)));
      return (performance.now() - start) / 1000;
    };

    const wal = await postgres.receiveWal('wal');
    const backup = await postgres.backUp('backup');
    place.say('backed up');
    const { identifier: newcomer } = await cluster.signUp();
    const { agent } = await cluster.signIn(identifier);
    const [authorization] = (await agent.get('/api/authorizations')).json().items;
    await agent.delete(`/api/authorizations/${authorization.id}`);
    const withdrawnBefore = await countAlive(newest);
    let acknowledgedAt = 0;
    for (let turn = 0; turn < TURNS; turn += 1) {
      await countAlive(active);
      acknowledgedAt = performance.now();
    }
    const age = (performance.now() - acknowledgedAt) / 1000;

    const seconds = await restore(backup, wal);
    place.say(`restored with the log of changes in ${seconds.toFixed(1)} s`);
    const people = [await canSignIn(identifier), await canSignIn(newcomer)].filter(Boolean).length;
    const alive = await countAlive(active);
    const withdrawnAfter = await countAlive(newest);

    await restore(backup);
    place.say('restored from the copy alone');
    const aliveAlone = await countAlive(active);
    const quietAlone = await countAlive(quiet);
    const revived = await countAlive(newest);
    const newcomerAlone = await canSignIn(newcomer);
    return {
      passed:
        people === 2 &&
        alive === active.length &&
        withdrawnBefore + withdrawnAfter === 0 &&
        quietAlone === quiet.length,
      figures:
        `with the log: ${alive} of ${active.length} links alive that refreshed since, the last one ${age.toFixed(3)} s before the end, ` +
        `${people} of 2 people sign in, withdrawn stays so, back in ${seconds.toFixed(1)} s; ` +
        `from the copy alone: ${active.length - aliveAlone} of ${active.length} links that refreshed since are lost, ` +
        `${quietAlone} of ${quiet.length} that did not are alive, ${revived} of 1 withdrawn is back, ` +
        `${newcomerAlone ? 0 : 1} of 1 account made since is gone`,
    };
  },
};
