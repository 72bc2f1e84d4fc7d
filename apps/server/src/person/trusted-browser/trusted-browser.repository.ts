import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { expiringRows } from '../../ground/db/expiring-rows.ts';
import type { TrustedBrowserRow } from './trusted-browser.table.ts';

/** Browsers in which accounts are not asked for their second factor, the newest first. They come by `upsertTrustedBrowser`. */
export const trustedBrowserRows = expiringRows({
  table: 'trusted_browser',
  columns: [
    'id',
    'device_hash',
    'brand',
    'user_agent',
    'client_hints',
    'created_at',
    'last_used_at',
    'expires_at',
  ],
  owner: 'account_id',
  endsAt: 'expires_at',
  order: sql`created_at desc, id`,
});

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
