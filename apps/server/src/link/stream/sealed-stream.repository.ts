import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';

type SealedColumn = 'authorization_header_sealed' | 'webhook_secrets_sealed' | 'service_account_sealed';

const sealedIn = (column: SealedColumn) => ({
  /** A page of what is sealed, by the id of the stream. */
  list: async (
    db: Kysely<Database>,
    { after, limit }: { after: string; limit: number },
  ): Promise<{ id: string; sealed: string }[]> => {
    const rows = await db
      .selectFrom('signal_stream')
      .select(['id', `${column} as sealed`])
      .where('id', '>', after)
      .where(column, 'is not', null)
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ id, sealed }) => ({ id, sealed: sealed ?? '' }));
  },
  /** Replaces what is sealed `from` by `to` unless another process has; answers whether it was replaced. */
  replace: async (
    db: Kysely<Database>,
    { id, from, to }: { id: string; from: string; to: string },
  ): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('signal_stream')
      .set({ [column]: to })
      .where('id', '=', id)
      .where(column, '=', from)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },
});

/** The headers of pushes, as rows to be sealed anew. */
export const sealedHeaders = sealedIn('authorization_header_sealed');

/** The secrets of webhooks, as rows to be sealed anew. */
export const sealedWebhookSecrets = sealedIn('webhook_secrets_sealed');

/** The service accounts of streams to Google, as rows to be sealed anew. */
export const sealedServiceAccounts = sealedIn('service_account_sealed');
