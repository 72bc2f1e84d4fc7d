import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { RegistrationPolicy } from './registration-policy.ts';
import { type RegistrationTokenRow, registrationTokenColumns } from './registration-token.table.ts';

export interface NewRegistrationToken {
  id: string;
  name: string;
  hash: string;
  policy: RegistrationPolicy;
  maxUses: number;
  expiresAt: Date;
}

export const insertRegistrationToken = (
  db: Kysely<Database>,
  { id, name, hash, policy, maxUses, expiresAt }: NewRegistrationToken,
): Promise<RegistrationTokenRow> =>
  db
    .insertInto('registration_token')
    .values({ id, name, hash, policy: JSON.stringify(policy), max_uses: maxUses, expires_at: expiresAt })
    .returning(registrationTokenColumns)
    .executeTakeFirstOrThrow();

export const findRegistrationToken = (
  db: Kysely<Database>,
  id: string,
): Promise<RegistrationTokenRow | undefined> =>
  db
    .selectFrom('registration_token')
    .select(registrationTokenColumns)
    .where('id', '=', id)
    .executeTakeFirst();

export const findRegistrationTokenByHash = (
  db: Kysely<Database>,
  hash: string,
): Promise<RegistrationTokenRow | undefined> =>
  db
    .selectFrom('registration_token')
    .select(registrationTokenColumns)
    .where('hash', '=', hash)
    .executeTakeFirst();

/** The newest first. */
export const listRegistrationTokens = (db: Kysely<Database>): Promise<RegistrationTokenRow[]> =>
  db
    .selectFrom('registration_token')
    .select(registrationTokenColumns)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();

/** Counts a use; answers whether the token was still good for it. Of parallel uses none counts beyond the limit. */
export const updateUses = async (db: Kysely<Database>, id: string, now: Date): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('registration_token')
    .set({ uses: sql<number>`uses + 1` })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .whereRef('uses', '<', 'max_uses')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Revokes a token; answers whether it was not revoked before. */
export const updateRevoked = async (db: Kysely<Database>, id: string, now: Date): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('registration_token')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
