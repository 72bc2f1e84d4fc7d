import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { TrustedBrowserRow } from './trusted-browser.table.ts';

const columns = [
  'id',
  'account_id',
  'token_hash',
  'device_hash',
  'brand',
  'user_agent',
  'client_hints',
  'created_at',
  'last_used_at',
  'expires_at',
] as const satisfies readonly (keyof TrustedBrowserRow)[];

export type NewTrustedBrowser = Omit<TrustedBrowserRow, 'client_hints'> & { client_hints: string | null };

/**
 * Trusts a browser with an account that is still of the session epoch. A transaction that raises the epoch is waited
 * for, or finds the row and deletes it.
 */
export const upsertTrustedBrowser = async (
  db: Kysely<Database>,
  row: NewTrustedBrowser,
  epoch: number,
): Promise<void> => {
  await sql`
    insert into trusted_browser (id, account_id, token_hash, device_hash, brand, user_agent, client_hints,
      created_at, last_used_at, expires_at)
    select ${row.id}::text, id, ${row.token_hash}::text, ${row.device_hash}::text, ${row.brand}::text,
      ${row.user_agent}::text, ${row.client_hints}::jsonb, ${row.created_at}::timestamptz,
      ${row.last_used_at}::timestamptz, ${row.expires_at}::timestamptz
    from account where id = ${row.account_id} and session_epoch = ${epoch}::int for share
    on conflict (account_id, device_hash, brand) do update set
      id = excluded.id, token_hash = excluded.token_hash, user_agent = excluded.user_agent,
      client_hints = excluded.client_hints, created_at = excluded.created_at,
      last_used_at = excluded.last_used_at, expires_at = excluded.expires_at`.execute(db);
};

type Key = Pick<TrustedBrowserRow, 'account_id' | 'token_hash' | 'device_hash' | 'brand'>;

/** Notes a use of a trusted browser; false where the browser is not trusted with the account. */
export const updateTrustUsed = async (
  db: Kysely<Database>,
  { account_id, token_hash, device_hash, brand }: Key,
  at: Date,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('trusted_browser')
    .set({ last_used_at: at })
    .where('account_id', '=', account_id)
    .where('token_hash', '=', token_hash)
    .where('device_hash', '=', device_hash)
    .where('brand', '=', brand)
    .where('expires_at', '>', at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** The trusted browsers of an account, the newest first. */
export const listTrustedBrowsers = (
  db: Kysely<Database>,
  accountId: string,
  at: Date,
): Promise<TrustedBrowserRow[]> =>
  db
    .selectFrom('trusted_browser')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('expires_at', '>', at)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();

export const deleteTrustedBrowser = async (
  db: Kysely<Database>,
  { accountId, id }: { accountId: string; id: string },
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('trusted_browser')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** No browser is trusted with the account any more; a browser with the digest `except` still is. */
export const deleteTrustedBrowsersOf = async (
  db: Kysely<Database>,
  accountId: string,
  except?: string,
): Promise<void> => {
  const query = db.deleteFrom('trusted_browser').where('account_id', '=', accountId);
  await (except === undefined ? query : query.where('device_hash', '!=', except)).execute();
};

/** The browser with this digest is not trusted with the account any more, whichever brand it is at. */
export const deleteTrustOf = async (
  db: Kysely<Database>,
  accountId: string,
  browserHash: string,
): Promise<void> => {
  await db
    .deleteFrom('trusted_browser')
    .where('account_id', '=', accountId)
    .where('device_hash', '=', browserHash)
    .execute();
};
