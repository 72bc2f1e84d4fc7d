import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { DynamicClientRow } from './dynamic-client.table.ts';

export const insertDynamicClient = async (db: Kysely<Database>, row: DynamicClientRow): Promise<void> => {
  await db.insertInto('dynamic_client').values(row).execute();
};

export interface FoundDynamicClient extends Pick<DynamicClientRow, 'client_id' | 'token_id' | 'ends_at'> {
  /** null: every brand has it. */
  brand: string | null;
  disabled: boolean;
}

/** The client whose registration access token has the hash. */
export const findDynamicClient = (
  db: Kysely<Database>,
  id: string,
  accessHash: string,
): Promise<FoundDynamicClient | undefined> =>
  db
    .selectFrom('dynamic_client as dynamic')
    .innerJoin('client', 'client.id', 'dynamic.client_id')
    .select(['dynamic.client_id', 'dynamic.token_id', 'dynamic.ends_at', 'client.brand', 'client.disabled'])
    .where('dynamic.client_id', '=', id)
    .where('dynamic.access_hash', '=', accessHash)
    .executeTakeFirst();

/** A client may go unused for so long. */
const UNUSED_DAYS = 30;

/**
 * At most `limit` clients that are to be deleted, of all or the one of an `id`, each with the name of its initial access
 * token, if it had one. They have ended, or no approval of theirs lives and no token was issued to them in 30 days. A
 * client that an operator disabled stays until its end. A client whose deletion disabled it was left half deleted by a
 * process that ended.
 */
export const listDueDynamicClients = async (
  db: Kysely<Database>,
  now: Date,
  { limit, id }: { limit: number; id?: string },
): Promise<{ client_id: string; name: string | null }[]> => {
  const { rows } = await sql<{ client_id: string; name: string | null }>`
    select dynamic.client_id, token.name
    from dynamic_client as dynamic
    join client on client.id = dynamic.client_id
    left join registration_token as token on token.id = dynamic.token_id
    where dynamic.client_id = coalesce(cast(${id ?? null} as text), dynamic.client_id)
      and (dynamic.ends_at <= ${now}
      or (not client.disabled
        and client.created_at < cast(${now} as timestamptz) - make_interval(days => ${sql.lit(UNUSED_DAYS)})
        and not exists (select from authorization_grant as held where held.client_id = client.id)
        and not exists (
          select from client_day as used where used.client_id = client.id and used.kind in ('token', 'refresh')
            and used.last_at > cast(${now} as timestamptz) - make_interval(days => ${sql.lit(UNUSED_DAYS)})
        ))
      or (client.disabled and exists (
        select from client_change as ending where ending.client_id = client.id and ending.action = 'disabled'
          and ending.actor_kind = 'registration' and ending.at < cast(${now} as timestamptz) - interval '1 minute'
      )))
    order by dynamic.client_id limit ${limit}`.execute(db);
  return rows;
};
