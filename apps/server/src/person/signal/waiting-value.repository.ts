import { type Kysely, type QueryCreator, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';

/** The scope by which a client reads the value that a signal carries; null where it carries none. */
const scopeOfValue = sql<string | null>`case
  when signal.event = 'token-claims-change' then 'profile'
  when signal.event = 'identifier-changed' and signal.payload ->> 'new-value' like '%@%' then 'email'
  when signal.event = 'identifier-changed' and signal.payload ? 'new-value' then 'phone'
end`;

/**
 * Whether the client of a signal may still be told it: it carries no value, or a live grant and the registration let the
 * client read the value.
 * @param endedId a grant that ends in this statement; null: none
 */
export const mayBeTold = (endedId: RawBuilder<string | null> = sql`null`) => sql<SqlBool>`(
  ${scopeOfValue} is null or exists (
    select from signal_stream as reader
    join client as registered on registered.id = reader.client_id
    join authorization_grant as held on held.client_id = reader.client_id and held.brand = reader.brand
    where reader.id = signal.stream_id and held.account_id = signal.account_id
      and held.expires_at > now() and held.id is distinct from ${endedId}
      and ${scopeOfValue} = any(string_to_array(held.scope, ' '))
      and (registered.metadata ->> 'scope' is null
        or ${scopeOfValue} = any(string_to_array(registered.metadata ->> 'scope', ' ')))
  )
)`;

/**
 * The statement that deletes signals that wait and may not be told any more.
 * @param links what stands behind FROM: `brand`, `account_id`, `client_id` and `ended_id` of a relation named `link`;
 * `ended_id` as for `mayBeTold`
 */
export const forgetWaitingValues = (db: QueryCreator<Database>, links: RawBuilder<unknown>) =>
  db.deleteFrom('signal').where(
    sql<SqlBool>`signal.settled_at is null and signal.id = any(array(
      select signal.id
      from ${links}
      join signal_stream as stream on stream.brand = link.brand and stream.client_id = link.client_id
      join signal on signal.stream_id = stream.id and signal.account_id = link.account_id
      where signal.settled_at is null and not ${mayBeTold(sql`link.ended_id`)}
    ))`,
  );

/** Forgets what may not be told any more of accounts whose grants ended, or have fewer scopes. */
export const deleteWaitingValues = async (
  trx: Kysely<Database>,
  grants: readonly { brand: string; account_id: string; client_id: string }[],
): Promise<void> => {
  const links = sql`(
    select brand, account_id, client_id, cast(null as text) as ended_id
    from jsonb_to_recordset(cast(${JSON.stringify(grants)} as jsonb)) as ended(brand text, account_id text, client_id text)
  ) as link`;
  await forgetWaitingValues(trx, links).execute();
};

/** Forgets what may not be told any more to a client whose registration has another `scope`. */
export const deleteWaitingValuesOfClient = async (trx: Kysely<Database>, clientId: string): Promise<void> => {
  await trx
    .deleteFrom('signal')
    .where('settled_at', 'is', null)
    .where('stream_id', 'in', ({ selectFrom }) =>
      selectFrom('signal_stream').select('id').where('client_id', '=', clientId),
    )
    .where(sql<SqlBool>`not ${mayBeTold()}`)
    .execute();
};
