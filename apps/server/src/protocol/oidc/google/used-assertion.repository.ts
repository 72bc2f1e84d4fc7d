import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../ground/db/database.ts';
import { CLOCK_TOLERANCE_SECONDS } from '../jwt/jwt-times.ts';
import { json, time } from '../storage/columns.ts';
import type { GoogleAssertion } from './google-assertion.ts';

const MODEL = 'GoogleAssertion';

/** Spends an assertion in the transaction that it is for; false where it is spent already. */
export const spendAssertion = async (
  trx: Kysely<Database>,
  brand: string,
  { idHash, expiresAt }: Pick<GoogleAssertion, 'idHash' | 'expiresAt'>,
): Promise<boolean> => {
  const spent = await trx
    .insertInto('oidc_model')
    .values({
      brand,
      model: MODEL,
      id_hash: idHash,
      payload: json('{}'),
      expires_at: time(expiresAt + CLOCK_TOLERANCE_SECONDS),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['brand', 'model', 'id_hash'])
        .doUpdateSet({ expires_at: sql`excluded.expires_at` })
        .where('oidc_model.expires_at', '<', sql<Date>`now()`),
    )
    .returning('id_hash')
    .executeTakeFirst();
  return spent !== undefined;
};
