import type { CodePurpose } from '@candela/contract';
import type { Selectable } from 'kysely';

export interface TicketTable {
  id_hash: string;
  purpose: CodePurpose;
  identifier: string;
  device_hash: string;
  created_at: Date;
  expires_at: Date;
  /** What a recovery proved beside the identifier, as `joinProofs` writes it. */
  factor: string | null;
}

export type TicketRow = Selectable<TicketTable>;

/** All of them, for statements to name: docs/decisions/027-columns-by-name.md. */
export const ticketColumns = [
  'id_hash',
  'purpose',
  'identifier',
  'device_hash',
  'created_at',
  'expires_at',
  'factor',
] as const satisfies readonly (keyof TicketRow)[];

declare module '../../ground/db/database.ts' {
  interface Database {
    ticket: TicketTable;
  }
}
