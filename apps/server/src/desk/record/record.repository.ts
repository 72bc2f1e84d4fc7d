import type { RecordAction } from '@candela/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { type StaffRecordRow, staffRecordColumns } from './record.table.ts';
import { FIRST_HASH } from './record-hash.ts';

/** The one row of the head. */
const HEAD = 'last';

export interface RecordHead {
  entry: number;
  hash: string;
  /** The database's clock. */
  at: Date;
}

/**
 * The last entry, which nobody follows until the transaction ends; the lock comes last in each transaction. The first
 * time makes its row.
 */
export const lockHead = async (trx: Kysely<Database>): Promise<RecordHead> => {
  const { rows } = await sql<{ entry: string; hash: string; at: Date }>`
    insert into staff_record_head (id, entry, hash) values (${HEAD}, 0, ${FIRST_HASH})
    on conflict (id) do update set id = excluded.id
    returning entry, hash, date_trunc('milliseconds', clock_timestamp()) as at`.execute(trx);
  const [head] = rows;
  if (!head) throw new Error('the head of the record is not there');
  return { ...head, entry: Number(head.entry) };
};

/** Adds the entry that follows the head, in the transaction that has locked it. */
export const insertEntry = async (trx: Kysely<Database>, row: StaffRecordRow): Promise<void> => {
  await trx.insertInto('staff_record').values(row).execute();
  await trx
    .updateTable('staff_record_head')
    .set({ entry: row.entry, hash: row.hash })
    .where('id', '=', HEAD)
    .execute();
};

/** The last entry as the head has it; undefined where nothing was recorded. */
export const findHead = async (db: Kysely<Database>): Promise<Omit<RecordHead, 'at'> | undefined> => {
  const head = await db
    .selectFrom('staff_record_head')
    .select(['entry', 'hash'])
    .where('id', '=', HEAD)
    .executeTakeFirst();
  return head && { entry: Number(head.entry), hash: head.hash };
};

export interface RecordChoice {
  account?: string | undefined;
  staff?: string | undefined;
  action?: RecordAction | undefined;
}

const toRow = (row: StaffRecordRow): StaffRecordRow => ({ ...row, entry: Number(row.entry) });

/** Entries, the newest first, before `before`. */
export const listEntries = async (
  db: Kysely<Database>,
  { account, staff, action }: RecordChoice,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<StaffRecordRow[]> => {
  let query = db.selectFrom('staff_record').select(staffRecordColumns).orderBy('entry', 'desc').limit(limit);
  if (account !== undefined) query = query.where('account_id', '=', account);
  if (staff !== undefined) query = query.where('actor_account', '=', staff);
  if (action !== undefined) query = query.where('action', '=', action);
  if (before !== undefined) query = query.where('entry', '<', before);
  return (await query.execute()).map(toRow);
};

/** Entries in their order, after `after`. */
export const listEntriesAfter = async (
  db: Kysely<Database>,
  { after, limit }: { after: number; limit: number },
): Promise<StaffRecordRow[]> => {
  const rows = await db
    .selectFrom('staff_record')
    .select(staffRecordColumns)
    .where('entry', '>', after)
    .orderBy('entry')
    .limit(limit)
    .execute();
  return rows.map(toRow);
};
