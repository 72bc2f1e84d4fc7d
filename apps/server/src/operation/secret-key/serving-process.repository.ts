import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { databaseTime, secondsFromNow } from '../../ground/db/sql-time.ts';

/** Stores that a process serves now, by the database's clock. */
export const upsertServingProcess = async (
  db: Kysely<Database>,
  { id, secretKeys }: { id: string; secretKeys: string[] },
): Promise<void> => {
  await db
    .insertInto('serving_process')
    .values({ id, secret_keys: secretKeys })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: databaseTime }))
    .execute();
};

export const deleteServingProcess = async (db: Kysely<Database>, id: string): Promise<void> => {
  await db.deleteFrom('serving_process').where('id', '=', id).execute();
};

export const deleteSilentProcesses = async (db: Kysely<Database>, seconds: number): Promise<void> => {
  await db.deleteFrom('serving_process').where('seen_at', '<', secondsFromNow(-seconds)).execute();
};

/** How many processes were seen in the last `seconds`, and how many of them do not know a key. */
export const countServingProcesses = async (
  db: Kysely<Database>,
  { seconds, secretKey }: { seconds: number; secretKey: string },
): Promise<{ alive: number; unaware: number }> => {
  const { alive, unaware } = await db
    .selectFrom('serving_process')
    .select([
      sql<string>`count(*)`.as('alive'),
      sql<string>`count(*) filter (where ${secretKey} <> all(secret_keys))`.as('unaware'),
    ])
    .where('seen_at', '>=', secondsFromNow(-seconds))
    .executeTakeFirstOrThrow();
  return { alive: Number(alive), unaware: Number(unaware) };
};
