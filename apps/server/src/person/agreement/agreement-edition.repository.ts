import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { secondsFromNow } from '../../ground/db/sql-time.ts';

/** An edition of a document of a brand. */
export interface BrandEdition {
  brand: string;
  agreementId: string;
  version: string;
}

/** Acceptances that are looked at: who runs a brand has some of the edition before among so many. */
const SAMPLE = 1_000;

/**
 * Notes an edition where the database has not seen it. It is offered `waitSeconds` later where another edition of the
 * document was offered or accepted before, else at once.
 */
export const noteEdition = async (
  db: Kysely<Database>,
  { brand, agreementId, version }: BrandEdition,
  waitSeconds: number,
): Promise<void> => {
  await sql`
    insert into agreement_edition (brand, agreement_id, version, offered_at)
    select ${brand}, ${agreementId}, ${version}, case when exists (
        select 1 from agreement_edition where brand = ${brand} and agreement_id = ${agreementId}
      ) or exists (
        select 1 from (select brand, agreement_id, version from agreement_acceptance limit ${SAMPLE}) as accepted
        where brand = ${brand} and agreement_id = ${agreementId} and version <> ${version}
      ) then ${secondsFromNow(waitSeconds)} else now() end
    on conflict do nothing`.execute(db);
};

/** From when on each edition is offered. */
export const listEditions = (db: Kysely<Database>): Promise<(BrandEdition & { offeredAt: Date })[]> =>
  db
    .selectFrom('agreement_edition')
    .select(['brand', 'agreement_id as agreementId', 'version', 'offered_at as offeredAt'])
    .execute();
