import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { expiringRows } from '../../ground/db/expiring-rows.ts';
import type { ProviderEventRow } from './provider-event.table.ts';

/** What providers told; kept for longer than they are believed. */
export const providerEventRows = expiringRows({
  table: 'provider_event',
  columns: ['kind', 'jti', 'received_at', 'expires_at'],
  owner: 'kind',
  endsAt: 'expires_at',
});

/** False where it was told before. It waits for another transaction that inserts the same. */
export const insertProviderEvent = async (db: Kysely<Database>, row: ProviderEventRow): Promise<boolean> => {
  const inserted = await db
    .insertInto('provider_event')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('jti')
    .executeTakeFirst();
  return inserted !== undefined;
};
