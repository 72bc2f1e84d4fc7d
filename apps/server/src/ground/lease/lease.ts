import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { deleteLease, endLease, upsertLease } from './lease.repository.ts';

export interface LeaseOptions {
  /** The work that one process at a time does. */
  name: string;
  /** After so long without a renewal another process may take the lease: this one has died. */
  seconds: number;
  /** Whether the lease of work that failed is left unreleased, as that of a process that died: see `leaseIsUnreleased`. */
  outlastsFailure?: boolean;
  /** Milliseconds of a clock that nobody sets. */
  now?: () => number;
}

export interface Lease {
  /**
   * Works while holding the lease, and lets others take it at the end. Work that lasts asks `isHeld` again and again,
   * which renews the lease in time and answers whether this process still has it.
   * @returns what the work answers; undefined, without any work, where another process holds the lease.
   */
  hold<T>(work: (isHeld: () => Promise<boolean>) => Promise<T>): Promise<T | undefined>;
}

/** A lease of this process on work that one process at a time does; the time is the database's. */
export const createLease = (
  db: Kysely<Database>,
  { name, seconds, outlastsFailure = false, now = () => performance.now() }: LeaseOptions,
): Lease => {
  const lease = { name, holder: randomUUID(), seconds };
  const renewMs = (seconds * 1_000) / 3;
  return {
    hold: async (work) => {
      if (!(await upsertLease(db, lease))) return undefined;
      let renewAt = now() + renewMs;
      const isHeld = async () => {
        if (now() < renewAt) return true;
        renewAt = now() + renewMs;
        return upsertLease(db, lease);
      };
      let releases = !outlastsFailure;
      try {
        const answer = await work(isHeld);
        releases = true;
        return answer;
      } finally {
        await (releases ? deleteLease : endLease)(db, lease);
      }
    },
  };
};
