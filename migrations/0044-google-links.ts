import type { Kysely } from 'kysely';

/** What a stream to Google needs: the name of a link there, and the service account that calls. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('authorization_grant')
    // Of the refresh token that Google keeps: SHA-512 twice, in base64. Null for other clients.
    .addColumn('google_token_hash', 'text')
    .execute();
  await db.schema
    .alterTable('signal_stream')
    // JSON; null for other delivery methods.
    .addColumn('service_account_sealed', 'text')
    .execute();
};
