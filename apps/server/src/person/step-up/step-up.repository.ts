import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { expiringRows } from '../../ground/db/expiring-rows.ts';
import { type StepUpRow, stepUpColumns } from './step-up.table.ts';

/** Proofs within sessions. They come by `insertStepUp`. */
export const stepUpRows = expiringRows({
  table: 'step_up',
  columns: stepUpColumns,
  owner: 'session_uid',
  endsAt: 'expires_at',
});

/** False when the session ended meanwhile; it waits for an ending that is under way. */
export const insertStepUp = async (db: Kysely<Database>, row: StepUpRow): Promise<boolean> => {
  const inserted = await db
    .insertInto('step_up')
    .columns(['token_hash', 'brand', 'session_uid', 'expires_at', 'proven_by'])
    .expression((query) =>
      query
        .selectFrom('session')
        .select([
          sql<string>`${row.token_hash}::text`.as('token_hash'),
          'session.brand',
          'session.uid',
          sql<Date>`${row.expires_at}::timestamptz`.as('expires_at'),
          sql<string | null>`${row.proven_by}::text`.as('proven_by'),
        ])
        .where('session.brand', '=', row.brand)
        .where('session.uid', '=', row.session_uid)
        .forKeyShare(),
    )
    .returning('token_hash')
    .executeTakeFirst();
  return inserted !== undefined;
};
