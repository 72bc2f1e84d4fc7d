import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * Disables and enables clients. It ends grants, which know their clients, so `ending/` implements it and the client
 * service is given it.
 */
export interface ClientSwitch {
  /**
   * Disables or enables a client in the transaction of the caller, and ends some of what the client was given.
   * Answers `none` where no client has the id.
   */
  set(trx: Kysely<Database>, id: string, disabled: boolean): Promise<'none' | 'same' | 'switched'>;
  /** Ends the rest of what a disabled client was given; called once `set` is committed. */
  endRest(db: Kysely<Database>, id: string): Promise<void>;
}
