import type { ClientSource } from '@candela/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { SqlTime } from '../../ground/db/sql-time.ts';

export interface KnownDocument {
  /** Who registered the client of that id first. */
  source: ClientSource;
  /** null: the document was registered a moment ago. */
  due_at: Date | null;
  failures: number;
}

/** The client of that id, with what is known of its document; undefined where no client has the id. */
export const findDocument = (db: Kysely<Database>, id: string): Promise<KnownDocument | undefined> =>
  db
    .selectFrom('client')
    .leftJoin('client_document as document', 'document.client_id', 'client.id')
    .select(['client.source', 'document.due_at'])
    .select(sql<number>`coalesce(document.failures, 0)`.as('failures'))
    .where('client.id', '=', id)
    .executeTakeFirst();

/** The row of a document, for a client that may have been deleted meanwhile. */
const rowOf = (db: Kysely<Database>, { id, dueAt, failures }: DocumentState) =>
  db
    .selectFrom('client')
    .select([
      'id',
      sql<Date>`${dueAt}::timestamptz`.as('due_at'),
      sql<number>`${failures}::int`.as('failures'),
    ])
    .where('id', '=', id);

interface DocumentState {
  id: string;
  dueAt: Date;
  /** Fetches that failed in a row. */
  failures: number;
}

/** Leaves a fetch that is due to one caller until `until`; false where it is left to another. */
export const claimDocument = async (
  db: Kysely<Database>,
  { id, now, until }: { id: string; now: Date; until: Date },
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('client_document')
    .columns(['client_id', 'due_at', 'failures'])
    .expression(rowOf(db, { id, dueAt: until, failures: 0 }))
    .onConflict((conflict) =>
      conflict.column('client_id').doUpdateSet({ due_at: until }).where('client_document.due_at', '<=', now),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
};

/** Notes when the document is due again. */
export const upsertDocument = async (db: Kysely<Database>, state: DocumentState): Promise<void> => {
  await db
    .insertInto('client_document')
    .columns(['client_id', 'due_at', 'failures'])
    .expression(rowOf(db, state))
    .onConflict((conflict) =>
      conflict.column('client_id').doUpdateSet({ due_at: state.dueAt, failures: state.failures }),
    )
    .execute();
};

/** Whoever approves a client does so within an hour of its request. */
const KEPT_SECONDS = 86_400;

/**
 * Deletes at most `limit` clients of documents that nobody has asked for in a day, and for which no approval lives,
 * with their history. A disabled one stays, or it would come back enabled.
 */
export const deleteUnusedDocuments = async (
  db: Kysely<Database>,
  now: SqlTime,
  limit: number,
): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    with unused as (
      select client.id from client_document as document join client on client.id = document.client_id
      where document.due_at < cast(${now} as timestamptz) - make_interval(secs => ${sql.lit(KEPT_SECONDS)})
        and client.source = 'document' and not client.disabled
        and not exists (select from authorization_grant where client_id = client.id)
      order by document.due_at limit ${sql.lit(limit)} for update of client skip locked
    ), forgotten as (
      delete from client_change where client_id in (select id from unused)
    )
    delete from client where id in (select id from unused)`.execute(db);
  return Number(numAffectedRows);
};
