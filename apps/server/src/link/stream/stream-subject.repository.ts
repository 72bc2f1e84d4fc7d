import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { IdentifierKind } from '../../ground/identifier/identifier.ts';
import type { StreamOwner } from './stream.ts';

const isApproved = ({ brand, clientId }: StreamOwner) =>
  sql<SqlBool>`exists (
    select 1 from authorization_grant
    where authorization_grant.account_id = account.id and authorization_grant.brand = ${brand}
      and authorization_grant.client_id = ${clientId} and authorization_grant.expires_at > now()
  )`;

const isNamed = (streamId: string) =>
  sql<SqlBool>`exists (
    select 1 from signal_subject
    where signal_subject.account_id = account.id and signal_subject.stream_id = ${streamId}
  )`;

/** Whether an account uses the client, or is named by its stream. */
export const concernsStream = async (
  db: Kysely<Database>,
  { owner, streamId, accountId }: { owner: StreamOwner; streamId: string; accountId: string },
): Promise<boolean> => {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where(sql<SqlBool>`(${isApproved(owner)} or ${isNamed(streamId)})`)
    .executeTakeFirst();
  return row !== undefined;
};

/** A page of the accounts that use a client, by id. */
export const listAccountsOfClient = async (
  db: Kysely<Database>,
  { brand, clientId }: StreamOwner,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> => {
  const rows = await db
    .selectFrom('authorization_grant')
    .select('account_id')
    .distinct()
    .where('brand', '=', brand)
    .where('client_id', '=', clientId)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('account_id', '>', after)
    .orderBy('account_id')
    .limit(limit)
    .execute();
  return rows.map(({ account_id }) => account_id);
};

/** The account of an identifier, where its person approved that the client sees identifiers of this kind. */
export const findAccountOfIdentifier = async (
  db: Kysely<Database>,
  { brand, clientId }: StreamOwner,
  { kind, value }: { kind: IdentifierKind; value: string },
): Promise<string | undefined> => {
  const row = await db
    .selectFrom('account_identifier')
    .innerJoin('authorization_grant', 'authorization_grant.account_id', 'account_identifier.account_id')
    .select('account_identifier.account_id')
    .where('account_identifier.kind', '=', kind)
    .where('account_identifier.value', '=', value)
    .where('authorization_grant.brand', '=', brand)
    .where('authorization_grant.client_id', '=', clientId)
    .where('authorization_grant.expires_at', '>', sql<Date>`now()`)
    .where(sql<SqlBool>`${kind} = any(string_to_array(authorization_grant.scope, ' '))`)
    .limit(1)
    .executeTakeFirst();
  return row?.account_id;
};

/** Adds an account to a stream, or takes it out; false where either is deleted meanwhile. */
export const upsertSubject = async (
  db: Kysely<Database>,
  { streamId, accountId, included }: { streamId: string; accountId: string; included: boolean },
): Promise<boolean> => {
  const named = await db
    .insertInto('signal_subject')
    .columns(['stream_id', 'account_id', 'included'])
    .expression(
      db
        .selectFrom('signal_stream as stream')
        .innerJoin('account', (join) => join.on('account.id', '=', accountId))
        .select([
          'stream.id',
          'account.id as account_id',
          sql<boolean>`cast(${included} as boolean)`.as('included'),
        ])
        .where('stream.id', '=', streamId)
        // It waits for a deletion, and finds nothing then.
        .forKeyShare(),
    )
    .onConflict((conflict) => conflict.columns(['stream_id', 'account_id']).doUpdateSet({ included }))
    .returning('stream_id')
    .executeTakeFirst();
  return named !== undefined;
};
