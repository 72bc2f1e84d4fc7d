import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { type OidcModelRow, oidcModelColumns } from './oidc-model.table.ts';

const MODEL = 'DeviceCode';

export interface DeviceCodeKey {
  brand: string;
  idHash: string;
}

/** How often a device may poll (RFC 8628 section 3.5). */
export interface PollPace {
  /** What a device waits between two polls unless it was slowed down. */
  intervalSeconds: number;
  /** What each `slow_down` adds to that. */
  slowDownSeconds: number;
  /** By so much the network may shorten what the device waited. */
  toleranceSeconds: number;
}

const selectCodes = (db: Kysely<Database>, brand: string) =>
  db.selectFrom('oidc_model').select(oidcModelColumns).where('brand', '=', brand).where('model', '=', MODEL);

export const findDeviceCode = (
  db: Kysely<Database>,
  { brand, idHash }: DeviceCodeKey,
): Promise<OidcModelRow | undefined> =>
  selectCodes(db, brand).where('id_hash', '=', idHash).executeTakeFirst();

/** @param userCodes the forms in which the column may hold the user code. */
export const findDeviceCodeByUserCode = (
  db: Kysely<Database>,
  { brand, userCodes }: { brand: string; userCodes: readonly string[] },
): Promise<OidcModelRow | undefined> =>
  selectCodes(db, brand).where('user_code', 'in', userCodes).executeTakeFirst();

/** Records a poll of the code's own client. Of parallel polls each sees the one before. */
export const notePoll = (
  db: Kysely<Database>,
  { brand, idHash, clientId }: DeviceCodeKey & { clientId: string },
  { intervalSeconds, slowDownSeconds, toleranceSeconds }: PollPace,
): Promise<OidcModelRow | undefined> => {
  const interval = sql<number>`coalesce(poll_interval_seconds, ${intervalSeconds}::integer)`;
  const tooSoon = sql<boolean>`coalesce(
      polled_at > now() - make_interval(secs => ${interval} - ${toleranceSeconds}::integer), false)`;
  return db
    .updateTable('oidc_model')
    .set({
      polled_at: sql`now()`,
      polled_too_soon: tooSoon,
      poll_interval_seconds: sql`${interval} + case when ${tooSoon} then ${slowDownSeconds}::integer else 0 end`,
    })
    .where('brand', '=', brand)
    .where('model', '=', MODEL)
    .where('id_hash', '=', idHash)
    .where('client_id', '=', clientId)
    .returning(oidcModelColumns)
    .executeTakeFirst();
};
