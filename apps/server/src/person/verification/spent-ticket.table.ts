import type { Generated, Selectable } from 'kysely';

/** A spent ticket and what it opened, kept for as long as the ticket would have been good. */
export interface SpentTicketTable {
  id_hash: string;
  /** The digest of a way and an interaction: the ticket opens that alone, and an interaction is finished once. */
  interaction_hash: string;
  identifier: string;
  device_hash: string;
  account_id: string;
  /** The account's session epoch then. */
  epoch: number;
  created_at: Generated<Date>;
  expires_at: Date;
}

export type SpentTicketRow = Selectable<SpentTicketTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    spent_ticket: SpentTicketTable;
  }
}
