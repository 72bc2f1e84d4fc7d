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

/** A secret that somebody gave a client. */
export interface SecretMaking {
  /** The name of the secret; undefined: the one that the client was registered with. */
  name: string | undefined;
  /** Undefined where no account made it. */
  accountId: string | undefined;
}

/** Who gave a client its secrets, the first first; of one name there may be several, of which the last counts. */
export const listSecretMakings = async (db: Kysely<Database>, clientId: string): Promise<SecretMaking[]> => {
  const rows = await db
    .selectFrom('client_change')
    .select(['actor_kind', 'actor_id', 'changes'])
    .where('client_id', '=', clientId)
    .where('action', 'in', ['created', 'secret_added'])
    .orderBy('at')
    .orderBy('id')
    .execute();
  return rows.map(({ actor_kind: kind, actor_id: id, changes }) => ({
    name: changes[0]?.note,
    accountId: kind === 'account' && id !== null ? id : undefined,
  }));
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
