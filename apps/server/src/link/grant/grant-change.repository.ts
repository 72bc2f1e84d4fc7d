import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { secondsFromNow } from '../../ground/db/sql-time.ts';
import { type AuthorizationGrantRow, grantColumns } from './grant.table.ts';

type GrantKey = Pick<AuthorizationGrantRow, 'brand' | 'id'>;

/** Names a live grant of the account, or takes its name away; undefined where the account has no such grant. */
export const updateLabel = (
  db: Kysely<Database>,
  { accountId, id, label }: { accountId: string; id: string; label: string | null },
): Promise<AuthorizationGrantRow | undefined> =>
  db
    .updateTable('authorization_grant')
    .set({ label })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(grantColumns)
    .executeTakeFirst();

const selectGrant = (db: Kysely<Database>, accountId: string, id: string) =>
  db
    .selectFrom('authorization_grant')
    .select(grantColumns)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`);

/** A live grant of the account; undefined where the account has no such grant. */
export const findGrant = (
  db: Kysely<Database>,
  accountId: string,
  id: string,
): Promise<AuthorizationGrantRow | undefined> => selectGrant(db, accountId, id).executeTakeFirst();

/** Locks a live grant of the account; undefined where the account has no such grant. */
export const lockGrant = (
  trx: Kysely<Database>,
  accountId: string,
  id: string,
): Promise<AuthorizationGrantRow | undefined> =>
  selectGrant(trx, accountId, id).forUpdate().executeTakeFirst();

/**
 * Begins the term of a locked link anew. It counts as a use: the tokens that live last as if they were issued now. A
 * refresh that is under way finds the new term, since it locks the grant before it writes.
 */
export const renewGrant = async (
  trx: Kysely<Database>,
  { brand, id, idleSeconds, termSeconds }: GrantKey & { idleSeconds: number; termSeconds: number },
): Promise<AuthorizationGrantRow> => {
  await trx
    .updateTable('refresh_token')
    .set({ expires_at: sql`greatest(expires_at, ${secondsFromNow(idleSeconds)})` })
    .where('brand', '=', brand)
    .where('grant_id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .execute();
  return trx
    .updateTable('authorization_grant')
    .set({
      renewed_at: sql`now()`,
      ends_at: secondsFromNow(termSeconds),
      end_told_days: null,
      expires_at: sql`greatest(expires_at, ${secondsFromNow(Math.min(idleSeconds, termSeconds))})`,
    })
    .where('brand', '=', brand)
    .where('id', '=', id)
    .returning(grantColumns)
    .executeTakeFirstOrThrow();
};

/** Lets the links of an account, which the caller holds, last longer by a time in which nobody can use them. */
export const lengthenLinks = async (
  trx: Kysely<Database>,
  accountId: string,
  days: number,
): Promise<void> => {
  const more = sql`make_interval(days => ${sql.lit(days)})`;
  await trx
    .updateTable('authorization_grant')
    .set({ expires_at: sql<Date>`greatest(expires_at, least(expires_at + ${more}, ends_at))` })
    .where('account_id', '=', accountId)
    .where('has_refresh_token', '=', true)
    .execute();
  await trx
    .updateTable('refresh_token')
    .set({ expires_at: sql<Date>`expires_at + ${more}` })
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('authorization_grant')
          .select('authorization_grant.id')
          .where('authorization_grant.account_id', '=', accountId)
          .whereRef('authorization_grant.brand', '=', 'refresh_token.brand')
          .whereRef('authorization_grant.id', '=', 'refresh_token.grant_id'),
      ),
    )
    .where('expires_at', '>', sql<Date>`now()`)
    .execute();
};

/** Lets a locked grant have fewer scopes. */
export const updateScope = (
  trx: Kysely<Database>,
  { brand, id, scope, payload }: GrantKey & Pick<AuthorizationGrantRow, 'scope' | 'payload'>,
): Promise<AuthorizationGrantRow> =>
  trx
    .updateTable('authorization_grant')
    .set({ scope, payload: JSON.stringify(payload) })
    .where('brand', '=', brand)
    .where('id', '=', id)
    .returning(grantColumns)
    .executeTakeFirstOrThrow();
