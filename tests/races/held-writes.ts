import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Cluster } from '../support/cluster.ts';
import type { Answer } from '../support/user-agent.ts';

type Db = Cluster['db'];

/**
 * The backends in which the write of a refresh waits: a unit of work begins so, and PostgreSQL shows the beginning of a
 * statement alone. The write of a sweep may wait too.
 */
const waiting = async (db: Db): Promise<number[]> => {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database() and relation = cast('refresh_token' as regclass)
      and query like 'with "write0" as %'`.execute(db);
  return rows.map(({ pid }) => pid);
};

const isBusy = async (db: Db, pid: number): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from pg_stat_activity where pid = ${pid} and state is distinct from 'idle'`.execute(db);
  return rows.length > 0;
};

const until = async (holds: () => Promise<boolean>) => {
  while (!(await holds())) await wait(10);
};

/** Holds every process between its look-ups, which continue, and its writes to refresh tokens, which wait. */
export const holdWrites = async (db: Db) => {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = db.transaction().execute(async (trx) => {
    await sql`lock table refresh_token in share mode`.execute(trx);
    held.resolve();
    await released.promise;
  });
  holding.catch(held.reject);
  await held.promise;
  return {
    /** Sends the request until its write waits; returns the waiting backend. */
    catchWrite: async (ask: () => Promise<Answer>): Promise<{ asked: Promise<Answer>; backend: number }> => {
      for (;;) {
        let pids: number[] = [];
        let isAnswered = false;
        const asked = ask().finally(() => {
          isAnswered = true;
        });
        asked.catch(() => undefined);
        await until(async () => {
          pids = await waiting(db);
          return isAnswered || pids.length > 0;
        });
        const [backend] = pids;
        if (backend !== undefined) return { asked, backend };
        // The next user of a cut connection discovers it.
        const { status, body } = await asked;
        if (status !== 503) throw new Error(`answered without a write: ${status} ${body}`);
      }
    },
    /** Releases the writes, and waits until `pid` has finished or dropped its own. */
    release: async (pid: number): Promise<void> => {
      released.resolve();
      await holding;
      await until(async () => !(await isBusy(db, pid)));
    },
  };
};
