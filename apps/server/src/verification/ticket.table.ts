import type { CodePurpose } from '@candela/contract';
import type { Selectable } from 'kysely';

export interface TicketTable {
  id_hash: string;
  purpose: CodePurpose;
  identifier: string;
  device_hash: string;
  created_at: Date;
  expires_at: Date;
}

export type TicketRow = Selectable<TicketTable>;
