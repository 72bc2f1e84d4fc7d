import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/database.ts';

/** A code of which its row says that it was spent before. */
export interface SpentCode {
  brand: string;
  idHash: string;
  grantId: string;
}

/** Within it the same request again is a late duplicate of an honest one: networks repeat what they carry. */
const DUPLICATE_SECONDS = 10;
/** After it nothing hangs on an authorization code any more. */
export const CODE_KEPT_SECONDS = 3600;

const longAgo = sql<Date>`now() - make_interval(secs => ${sql.lit(DUPLICATE_SECONDS)})`;
/** Of a row of `authorization_code`, by its alias. */
export const isIssuedLately = (code: string) =>
  sql<SqlBool>`${sql.ref(`${code}.created_at`)} > now() - make_interval(secs => ${sql.lit(CODE_KEPT_SECONDS)})`;

const deleteGrantWhere = async (
  db: Kysely<Database>,
  { brand, grantId }: SpentCode,
  wasReused: RawBuilder<SqlBool>,
): Promise<boolean> => {
  const gone = await db
    .deleteFrom('authorization_grant')
    .where('brand', '=', brand)
    .where('id', '=', grantId)
    .where(wasReused)
    .returning('id')
    .executeTakeFirst();
  return gone !== undefined;
};

/**
 * Ends what an authorization code was exchanged for, where it is presented again later than a duplicate comes and
 * within an hour of its issue (RFC 6749 section 4.1.2), by the clock that wrote the times; answers whether it did.
 */
export const deleteGrantOfAuthorizationCode = (db: Kysely<Database>, code: SpentCode): Promise<boolean> =>
  deleteGrantWhere(
    db,
    code,
    sql<SqlBool>`exists (
      select from authorization_code
      where brand = ${code.brand} and id_hash = ${code.idHash} and consumed_at <= ${longAgo} and ${isIssuedLately('authorization_code')}
    )`,
  );

/** The same for the code of a device, for as long as its row is kept. */
export const deleteGrantOfDeviceCode = (db: Kysely<Database>, code: SpentCode): Promise<boolean> =>
  deleteGrantWhere(
    db,
    code,
    sql<SqlBool>`exists (
      select from oidc_model
      where brand = ${code.brand} and model = 'DeviceCode' and id_hash = ${code.idHash} and consumed_at <= ${longAgo}
    )`,
  );
