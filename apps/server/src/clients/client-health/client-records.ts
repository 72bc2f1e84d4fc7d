import type { ClientErrorKind } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { isStandIn } from '../../person/stand-in/stand-in.ts';
import {
  addCounts,
  type ClientCount,
  deleteSurplusErrors,
  insertErrors,
} from './client-records.repository.ts';
import type { CountedKind } from './counted-kind.ts';
import { createLinkCounts, type LinkCounts } from './link-counts.ts';
import type { RefusedRequest } from './refused-request.ts';

/** Refused requests of one client and kind that one process keeps between two resets; the rest is only counted. */
const KEPT_PER_MINUTE = 10;
/** Refused requests that wait to be written, of all clients. */
const WAITING = 300;
/** Those of one client: a flood of errors of one leaves room for those of others. */
const WAITING_OF_ONE = 40;
/** Pairs of a client and a kind that wait to be written. */
const COUNTED = 20_000;
const MINUTE_MS = 60_000;

/**
 * What happens to clients, gathered in memory and written in the background: no request waits for it, and a process
 * that is killed loses seconds of it.
 */
export interface ClientRecords extends LinkCounts {
  count(clientId: string, kind: 'token' | 'refresh'): void;
  /**
   * Counts a refused request. `describe` is called where it is kept too, which is bounded for each client, kind and
   * minute: anybody can make errors in the name of a public client.
   */
  refuse(
    clientId: string,
    kind: ClientErrorKind,
    describe: () => Omit<RefusedRequest, 'clientId' | 'kind'>,
  ): void;
  /** Writes what has gathered. What cannot be written of the counts waits for the next time. */
  flush(): Promise<void>;
}

export const createClientRecords = ({ db }: { db: Kysely<Database> }): ClientRecords => {
  let counts = new Map<string, ClientCount>();
  let refused: RefusedRequest[] = [];
  let waitingOf = new Map<string, number>();
  let kept = new Map<string, number>();
  let resetAt = performance.now() + MINUTE_MS;

  const add = (clientId: string, kind: CountedKind, by: number) => {
    if (isStandIn(clientId)) return;
    const key = `${kind} ${clientId}`;
    const counted = counts.get(key);
    if (counted) counted.count += by;
    else if (counts.size < COUNTED) counts.set(key, { clientId, kind, count: by });
  };

  /** Whether one more of the kind may be kept, which it then is. */
  const mayKeep = (clientId: string, kind: ClientErrorKind): boolean => {
    if (performance.now() >= resetAt) {
      kept = new Map();
      resetAt = performance.now() + MINUTE_MS;
    }
    const key = `${kind} ${clientId}`;
    const already = kept.get(key) ?? 0;
    const own = waitingOf.get(clientId) ?? 0;
    if (already >= KEPT_PER_MINUTE || refused.length >= WAITING || own >= WAITING_OF_ONE) return false;
    waitingOf.set(clientId, own + 1);
    kept.set(key, already + 1);
    return true;
  };

  const writeCounts = async (taken: readonly ClientCount[]) => {
    if (taken.length === 0) return;
    try {
      await addCounts(db, taken);
    } catch (error) {
      for (const { clientId, kind, count } of taken) add(clientId, kind, count);
      throw error;
    }
  };

  const writeRefused = async (taken: readonly RefusedRequest[]) => {
    if (taken.length === 0) return;
    await insertErrors(db, taken);
    await deleteSurplusErrors(
      db,
      taken.map(({ clientId }) => clientId),
    );
  };

  return {
    count: (clientId, kind) => add(clientId, kind, 1),

    ...createLinkCounts(),

    refuse: (clientId, kind, describe) => {
      add(clientId, `error:${kind}`, 1);
      if (!isStandIn(clientId) && mayKeep(clientId, kind)) refused.push({ ...describe(), clientId, kind });
    },

    flush: async () => {
      const [takenCounts, takenRefused] = [[...counts.values()], refused];
      counts = new Map();
      refused = [];
      waitingOf = new Map();
      await writeCounts(takenCounts);
      await writeRefused(takenRefused);
    },
  };
};
