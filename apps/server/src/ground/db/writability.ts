import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';

/** SQLSTATE of a disk that is full or fails. */
const NO_ROOM = /^(53100|58)/;
/** How long after a write that found no room the next one is tried: until then nothing is asked of the disk. */
const TRY_EVERY_MS = 3_000;

export interface Writability {
  /** Hears why a request was answered 503. */
  note(error: unknown): void;
  /**
   * Whether the database takes writes. A reading statement tells of a standby and of a read-only server. A disk is only
   * known to be full by a write: none is tried before a request has found no room.
   * @throws what the database throws
   */
  takesWrites(): Promise<boolean>;
}

/** @param tryRoom writes something that needs room, and takes it back. */
export const createWritability = (db: Kysely<Database>, tryRoom: () => Promise<unknown>): Writability => {
  let foundFullAt: number | undefined;
  const note = (error: unknown) => {
    if (NO_ROOM.test(String((error as { code?: unknown } | undefined)?.code)))
      foundFullAt = performance.now();
  };
  return {
    note,
    takesWrites: async () => {
      const { rows } = await sql<{ writes: boolean }>`
        select current_setting('transaction_read_only') = 'off' as writes`.execute(db);
      if (!rows[0]?.writes) return false;
      if (foundFullAt === undefined) return true;
      if (performance.now() - foundFullAt < TRY_EVERY_MS) return false;
      // Of load balancers that ask at once one tries.
      foundFullAt = performance.now();
      await tryRoom();
      foundFullAt = undefined;
      return true;
    },
  };
};
