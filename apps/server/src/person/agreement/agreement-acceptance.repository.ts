import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { NewAgreementAcceptanceRow } from './agreement-acceptance.table.ts';

export const insertAcceptances = async (
  db: Kysely<Database>,
  rows: readonly NewAgreementAcceptanceRow[],
): Promise<void> => {
  if (rows.length > 0) await db.insertInto('agreement_acceptance').values(rows).execute();
};
