import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { AccountNoteRow } from './note.table.ts';

export const insertNote = async (
  db: Kysely<Database>,
  note: Pick<AccountNoteRow, 'account_id' | 'written_by' | 'text'>,
): Promise<void> => {
  await db
    .insertInto('account_note')
    .values({ id: randomUUID(), ...note })
    .execute();
};

/** The newest first; at most `limit`. */
export const listNotes = (
  db: Kysely<Database>,
  accountId: string,
  limit: number,
): Promise<Pick<AccountNoteRow, 'written_by' | 'text' | 'created_at'>[]> =>
  db
    .selectFrom('account_note')
    .select(['written_by', 'text', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
