import type { ClientAction } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import type { FieldChange } from '../settings-file/entry-change.ts';
import type { Actor } from './actor.ts';

export interface NewClientChange {
  clientId: string;
  actor: Actor;
  action: ClientAction;
  changes?: readonly FieldChange[];
}

/** Writes a row of the history of a client, in the transaction of the change. */
export const insertClientChange = async (
  db: Kysely<Database>,
  { clientId, actor, action, changes = [] }: NewClientChange,
): Promise<void> => {
  await db
    .insertInto('client_change')
    .values({
      client_id: clientId,
      actor_kind: actor.kind,
      actor_id: 'id' in actor ? actor.id : null,
      action,
      changes: JSON.stringify(changes),
    })
    .execute();
};
