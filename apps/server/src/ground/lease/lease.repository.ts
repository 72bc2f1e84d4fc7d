import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { databaseTime, secondsFromNow } from '../db/sql-time.ts';

interface Lease {
  name: string;
  holder: string;
}

/** Takes a lease or prolongs it; false while another holder has it. */
export const upsertLease = async (
  db: Kysely<Database>,
  { name, holder, seconds }: Lease & { seconds: number },
): Promise<boolean> => {
  const taken = await db
    .insertInto('lease')
    .values({ name, holder, expires_at: secondsFromNow(seconds) })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder: sql`excluded.holder`, expires_at: sql`excluded.expires_at` })
        .where((where) =>
          where.or([
            where('lease.holder', '=', sql<string>`excluded.holder`),
            where('lease.expires_at', '<=', databaseTime),
          ]),
        ),
    )
    .returning('name')
    .executeTakeFirst();
  return taken !== undefined;
};

/**
 * Whether a process holds the lease, or ended in the last `seconds` without releasing it and no other has released it
 * since; for a statement that asks more.
 */
export const leaseIsUnreleased = (name: string, seconds: number): RawBuilder<boolean> =>
  sql<boolean>`exists (select from lease where name = ${name} and expires_at > ${secondsFromNow(-seconds)})`;

/** Lets another process take a lease, without releasing it. */
export const endLease = async (db: Kysely<Database>, { name, holder }: Lease): Promise<void> => {
  await db
    .updateTable('lease')
    .set({ expires_at: databaseTime })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .execute();
};

/** Releases a lease, if `holder` has it. */
export const deleteLease = async (db: Kysely<Database>, { name, holder }: Lease): Promise<void> => {
  await db.deleteFrom('lease').where('name', '=', name).where('holder', '=', holder).execute();
};
