import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { isStandIn } from '../../person/stand-in/stand-in.ts';

const DAY_SECONDS = 86_400;

/** Times that the engine keeps in a payload, in seconds since the epoch. */
const payloadTimes = ['iat', 'exp', 'iiat'] as const;

const earlier = (column: string, by: RawBuilder<unknown>) =>
  sql`${sql.ref(column)} = ${sql.ref(column)} - ${by}`;

const earlierPayload = (seconds: number) => sql`payload = payload || jsonb_strip_nulls(jsonb_build_object(
  ${sql.join(
    payloadTimes.flatMap((name) => [
      sql.lit(name),
      sql`cast(payload->>${sql.lit(name)} as numeric) - ${sql.lit(seconds)}`,
    ]),
  )}))`;

/**
 * Makes the links of a stand-in older, as if so many days had passed: all times of its grants and tokens move. A check
 * sees what becomes of a link months later, and no clock is turned.
 * @throws TypeError for any other client
 */
export const ageLinksOfStandIn = async (
  db: Kysely<Database>,
  clientId: string,
  days: number,
): Promise<void> => {
  if (!isStandIn(clientId)) throw new TypeError('links of registered clients keep their times');
  const by = sql`make_interval(days => ${sql.lit(days)})`;
  const move = (columns: readonly string[]) => sql.join(columns.map((column) => earlier(column, by)));
  await sql`update authorization_grant
    set ${move(['created_at', 'last_accessed_at', 'expires_at', 'renewed_at', 'ends_at'])}
    where client_id = ${clientId}`.execute(db);
  await sql`update refresh_token
    set ${move(['created_at', 'first_used_at', 'expires_at'])}, ${earlierPayload(days * DAY_SECONDS)}
    where client_id = ${clientId}`.execute(db);
  await sql`update access_token set ${move(['created_at', 'expires_at'])}
    where client_id = ${clientId}`.execute(db);
};

/** Deletes the interactions that a check went through, by the ids that its browser saw. */
export const deleteInteractionsOfStandIn = async (
  db: Kysely<Database>,
  clientId: string,
  uids: readonly string[],
): Promise<void> => {
  await db
    .deleteFrom('interaction')
    .where('client_id', '=', clientId)
    .where(sql<boolean>`id_hash = any(${uids.map(hashToken)}::text[])`)
    .execute();
};
