import { randomBytes, randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { databaseTime, secondsFromNow } from '../../ground/db/sql-time.ts';
import type { ServingProcessTable } from './serving-process.table.ts';

/** Stores that a process serves now, by the database's clock. */
export const upsertServingProcess = async (
  db: Kysely<Database>,
  { id, secretKeys, version, host }: { id: string; secretKeys: string[]; version: string; host: string },
): Promise<void> => {
  await db
    .insertInto('serving_process')
    .values({ id, secret_keys: secretKeys, version, host, started_at: databaseTime })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: databaseTime }))
    .execute();
};

export const deleteServingProcess = async (db: Kysely<Database>, id: string): Promise<void> => {
  await db.deleteFrom('serving_process').where('id', '=', id).execute();
};

export const deleteSilentProcesses = async (db: Kysely<Database>, seconds: number): Promise<void> => {
  await db.deleteFrom('serving_process').where('seen_at', '<', secondsFromNow(-seconds)).execute();
};

/** The processes that were seen in the last `seconds`, those that started first before the others. */
export const listServingProcesses = (
  db: Kysely<Database>,
  seconds: number,
): Promise<Omit<Selectable<ServingProcessTable>, 'secret_keys'>[]> =>
  db
    .selectFrom('serving_process')
    .select(['id', 'version', 'host', 'started_at', 'seen_at'])
    .where('seen_at', '>=', secondsFromNow(-seconds))
    .orderBy(sql`started_at nulls first`)
    .orderBy('id')
    .execute();

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

/** More than the pages of a table have left, so that a disk must have room for it. */
const ROOM_BYTES = 64 * 1024;

class Undone extends Error {}

/**
 * Writes a large row, and takes it back: nobody ever sees it.
 * @throws the error of a database that has no room for it
 */
export const tryRoom = (db: Kysely<Database>): Promise<void> =>
  db
    .transaction()
    .execute(async (trx) => {
      const large = randomBytes(ROOM_BYTES).toString('base64');
      await trx
        .insertInto('serving_process')
        .values({ id: randomUUID(), secret_keys: [large] })
        .execute();
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
