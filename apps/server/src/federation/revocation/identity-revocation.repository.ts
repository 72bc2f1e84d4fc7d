import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { secondsFromNow } from '../../ground/db/sql-time.ts';
import type { IdentityRevocationRow } from './identity-revocation.table.ts';

/** What a way in holds: null where its provider wants nothing back. */
interface Revocable {
  brand: string;
  provider: string;
  subject: string;
  refresh_token_sealed: string | null;
}

/** Queues what the ways in of a person hold, in the transaction that ends them; those without a token are left out. */
export const insertRevocations = async (
  db: Kysely<Database>,
  identities: readonly Revocable[],
  { afterSeconds = 0 }: { afterSeconds?: number } = {},
): Promise<void> => {
  const rows = identities.flatMap(({ brand, provider, subject, refresh_token_sealed }) =>
    refresh_token_sealed === null
      ? []
      : [{ brand, provider, subject, refresh_token_sealed, due_at: secondsFromNow(afterSeconds) }],
  );
  if (rows.length > 0) await db.insertInto('identity_revocation').values(rows).execute();
};

/** Takes out what a way in held that is put back: the token that came last; null where there is none. */
export const takeRevocation = async (
  db: Kysely<Database>,
  { brand, provider, subject }: Pick<Revocable, 'brand' | 'provider' | 'subject'>,
): Promise<string | null> => {
  const taken = await db
    .deleteFrom('identity_revocation')
    .where('brand', '=', brand)
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .returning(['refresh_token_sealed', 'due_at'])
    .execute();
  const newest = taken.toSorted((a, b) => b.due_at.getTime() - a.due_at.getTime())[0];
  return newest?.refresh_token_sealed ?? null;
};

/**
 * Leases what is due, each for longer than the last time: from a minute to a day. Of two processes that choose the same
 * row, the second finds that it is due no more.
 */
export const updateDueRevocations = async (
  db: Kysely<Database>,
  limit: number,
): Promise<IdentityRevocationRow[]> => {
  const { rows } = await sql<IdentityRevocationRow>`
    update identity_revocation set
      attempts = attempts + 1,
      due_at = now() + least(interval '1 day', interval '1 minute' * power(4, attempts))
    where due_at <= now() and id = any(array(
      select id from identity_revocation where due_at <= now() order by due_at limit ${sql.lit(limit)}
    ))
    returning id, brand, provider, subject, refresh_token_sealed, attempts, due_at`.execute(db);
  return rows;
};

export const deleteRevocation = async (db: Kysely<Database>, id: string): Promise<void> => {
  await db.deleteFrom('identity_revocation').where('id', '=', id).execute();
};

/** In the order of their ids, after one of them. */
export const listSealedRevocations = async (
  db: Kysely<Database>,
  { after, limit }: { after: string; limit: number },
): Promise<{ id: string; sealed: string }[]> =>
  db
    .selectFrom('identity_revocation')
    .select(['id', 'refresh_token_sealed as sealed'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();

/** Replaces a sealed token unless it has changed; answers whether it was replaced. */
export const updateSealedRevocation = async (
  db: Kysely<Database>,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('identity_revocation')
    .set({ refresh_token_sealed: to })
    .where('id', '=', id)
    .where('refresh_token_sealed', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
