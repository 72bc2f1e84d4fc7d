import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';

/** Deletes what hangs on a client alone: device codes, pushed requests, tokens of its own. */
export const deleteModelsOfClient = async (db: Kysely<Database>, clientId: string): Promise<void> => {
  await db
    .deleteFrom('oidc_model')
    .where('client_id', '=', clientId)
    // What was used once stays used.
    .where('model', '<>', 'ReplayDetection')
    .execute();
};
