import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';

/** A token that a client got for itself (RFC 6749 section 4.4), as the engine stores it. */
export interface MachineToken {
  clientId: string;
  /** The one resource that the token is for. */
  aud?: unknown;
  scope?: unknown;
  /** Present where the token is bound to a DPoP key (RFC 9449). */
  jkt?: unknown;
}

/** The token with that digest, if the brand has it and it has not ended. */
export const findMachineToken = async (
  db: Kysely<Database>,
  { brand, idHash }: { brand: string; idHash: string },
): Promise<MachineToken | undefined> => {
  const row = await db
    .selectFrom('oidc_model')
    .select(['client_id', 'payload'])
    .where('brand', '=', brand)
    .where('model', '=', 'ClientCredentials')
    .where('id_hash', '=', idHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (!row?.client_id) return undefined;
  const { aud, scope, jkt } = row.payload as Record<string, unknown>;
  return { clientId: row.client_id, aud, scope, jkt };
};
