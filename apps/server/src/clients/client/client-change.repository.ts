import type { ClientAction } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { FieldChange } from '../../ground/settings-file/entry-change.ts';
import type { Actor } from './actor.ts';
import type { ClientChangeRow } from './client-change.table.ts';

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

/** The kind of actor that disabled or enabled a client last; undefined where nobody did. */
export const findLastSwitch = async (
  db: Kysely<Database>,
  clientId: string,
): Promise<Actor['kind'] | undefined> => {
  const row = await db
    .selectFrom('client_change')
    .select('actor_kind')
    .where('client_id', '=', clientId)
    .where('action', 'in', ['disabled', 'enabled'])
    // Not by the id: engines give numbers of a sequence to their nodes in blocks.
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.actor_kind;
};

/** The history of a client before the change `before`, the newest first. */
export const listClientChanges = (
  db: Kysely<Database>,
  clientId: string,
  { limit, before }: { limit: number; before: number | undefined },
): Promise<ClientChangeRow[]> =>
  db
    .selectFrom('client_change')
    .select(['id', 'client_id', 'at', 'actor_kind', 'actor_id', 'action', 'changes'])
    .where('client_id', '=', clientId)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
