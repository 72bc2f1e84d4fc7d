import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';

/** SQLSTATE of a disk that is full or fails. */
const NO_ROOM = /^(53100|58)/;
/** How long after a write that found no room the next one is tried: until then nothing is asked of the disk. */
const TRY_EVERY_MS = 3_000;

/** Why no transaction of a connection may write, as the end of a sentence; undefined where it may. */
export const findWriteFault = async (db: Kysely<Database>): Promise<string | undefined> => {
  const { rows } = await sql<{ isReadOnly: boolean; isStandby: boolean | null }>`
    select current_setting('transaction_read_only') = 'on' as "isReadOnly",
      current_setting('in_hot_standby', true) = 'on' as "isStandby"`.execute(db);
  if (!rows[0]?.isReadOnly) return undefined;
  return rows[0].isStandby
    ? 'it is a standby, or its address leads to one'
    : 'default_transaction_read_only is on, for the server, the database or the role';
};

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
      if ((await findWriteFault(db)) !== undefined) return false;
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
