import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../../ground/db/database.ts';
import { type EndedGrant, endedColumns } from '../../../link/grant/ended-grant.ts';

/** A code that was presented again after it had been spent. */
export interface SpentCode {
  brand: string;
  idHash: string;
  grantId: string;
  /** Within this time after its use a code that is presented again is a duplicate: see `duplicateSeconds`. */
  duplicateSeconds: number;
}

/** Networks repeat requests. A client of the FAPI 2.0 Security Profile has tokens that are bound to a key, and no such time. */
export const duplicateSeconds = ({ fapi }: { fapi: boolean }): number => (fapi ? 0 : 10);
/** Within this time after its issue a code that is presented again ends the tokens that it was exchanged for. */
export const CODE_KEPT_SECONDS = 3600;

const longAgo = ({ duplicateSeconds }: SpentCode) =>
  sql<Date>`now() - make_interval(secs => ${sql.lit(duplicateSeconds)})`;
/** Whether a row of `authorization_code` is younger than `CODE_KEPT_SECONDS`. @param code the alias of the table */
export const isIssuedLately = (code: string) =>
  sql<SqlBool>`${sql.ref(`${code}.created_at`)} > now() - make_interval(secs => ${sql.lit(CODE_KEPT_SECONDS)})`;

const deleteGrantWhere = (
  db: Kysely<Database>,
  { brand, grantId }: SpentCode,
  wasReused: RawBuilder<SqlBool>,
): Promise<EndedGrant[]> =>
  db
    .deleteFrom('authorization_grant')
    .where('brand', '=', brand)
    .where('id', '=', grantId)
    .where(wasReused)
    .returning(endedColumns)
    .execute();

/**
 * Ends the grant of an authorization code that is presented again, later than as a duplicate and less than an hour after
 * its issue, by the database's clock (RFC 6749 section 4.1.2). Answers the grant that ended, if it did.
 */
export const deleteGrantOfAuthorizationCode = (
  db: Kysely<Database>,
  code: SpentCode,
): Promise<EndedGrant[]> =>
  deleteGrantWhere(
    db,
    code,
    sql<SqlBool>`exists (
      select from authorization_code
      where brand = ${code.brand} and id_hash = ${code.idHash} and consumed_at <= ${longAgo(code)} and ${isIssuedLately('authorization_code')}
    )`,
  );

/** Ends the grant of a device code that is presented again, later than as a duplicate. Answers the grant that ended, if it did. */
export const deleteGrantOfDeviceCode = (db: Kysely<Database>, code: SpentCode): Promise<EndedGrant[]> =>
  deleteGrantWhere(
    db,
    code,
    sql<SqlBool>`exists (
      select from oidc_model
      where brand = ${code.brand} and model = 'DeviceCode' and id_hash = ${code.idHash} and consumed_at <= ${longAgo(code)}
    )`,
  );
