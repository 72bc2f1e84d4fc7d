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
