import type { ClientAction } from '@candela/contract';
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { FieldChange } from '../../ground/settings-file/entry-change.ts';
import type { Actor } from './actor.ts';

/** One change of a registration. It outlives its client, and never holds a secret. */
export interface ClientChangeTable {
  id: Generated<number>;
  client_id: string;
  at: Generated<Date>;
  actor_kind: Actor['kind'];
  actor_id: string | null;
  action: ClientAction;
  changes: ColumnType<FieldChange[], string, never>;
}

export type ClientChangeRow = Selectable<ClientChangeTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    client_change: ClientChangeTable;
  }
}
