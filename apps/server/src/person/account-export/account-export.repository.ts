import { EXPORT_HOURS } from '@candela/contract/rules/leaving';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { databaseTime, secondsFromNow } from '../../ground/db/sql-time.ts';
import type { AccountExportRow } from './account-export.table.ts';

/** The purpose of the keys that seal the pieces of files. */
export const exportSealing = 'account exports';

/** For how long a file can be downloaded, and another one is not prepared. */
const LIFETIME_SECONDS = EXPORT_HOURS * 3_600;

/** The export of an account with the number of pieces that are there; undefined where none is asked for, or it is over. */
export const findExport = async (
  db: Kysely<Database>,
  accountId: string,
): Promise<(AccountExportRow & { pieces: number }) | undefined> =>
  db
    .selectFrom('account_export')
    .select(['account_id', 'brand', 'requested_at', 'ready_at', 'expires_at'])
    .select(
      sql<number>`(select count(*)::int from account_export_piece as piece
        where piece.account_id = account_export.account_id)`.as('pieces'),
    )
    .where('account_id', '=', accountId)
    .where('expires_at', '>', databaseTime)
    .executeTakeFirst();

/** Notes that a file is asked for, in place of one that is over. The caller holds the account. */
export const insertExport = async (
  trx: Kysely<Database>,
  { accountId, brand }: { accountId: string; brand: string },
): Promise<void> => {
  await deleteExport(trx, accountId);
  await trx
    .insertInto('account_export')
    .values({ account_id: accountId, brand, ready_at: null, expires_at: secondsFromNow(LIFETIME_SECONDS) })
    .execute();
};

/** The accounts whose files are to be prepared, those that wait longest first. */
export const listWaitingExports = (
  db: Kysely<Database>,
  limit: number,
): Promise<Pick<AccountExportRow, 'account_id' | 'brand'>[]> =>
  db
    .selectFrom('account_export')
    .select(['account_id', 'brand'])
    .where('ready_at', 'is', null)
    .where('expires_at', '>', databaseTime)
    .orderBy('requested_at')
    .limit(limit)
    .execute();

/** Stores a file that was waited for; false where nobody waits for it any more. */
export const insertFile = async (
  trx: Kysely<Database>,
  accountId: string,
  sealedPieces: readonly string[],
): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('account_export')
    .set({ ready_at: databaseTime, expires_at: secondsFromNow(LIFETIME_SECONDS) })
    .where('account_id', '=', accountId)
    .where('ready_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  for (const [number, sealed] of sealedPieces.entries())
    await trx.insertInto('account_export_piece').values({ account_id: accountId, number, sealed }).execute();
  return true;
};

/** Takes the file out of the database, in one statement: of several downloads one gets it. In the order of its pieces. */
export const takeFile = async (db: Kysely<Database>, accountId: string): Promise<string[]> => {
  const rows = await db
    .deleteFrom('account_export_piece')
    .where('account_id', '=', accountId)
    .where((where) =>
      where.exists(
        where
          .selectFrom('account_export')
          .select('account_id')
          .where('account_id', '=', accountId)
          .where('expires_at', '>', databaseTime),
      ),
    )
    .returning(['number', 'sealed'])
    .execute();
  return rows.toSorted((a, b) => a.number - b.number).map(({ sealed }) => sealed);
};

export const deleteExport = async (db: Kysely<Database>, accountId: string): Promise<void> => {
  await db.deleteFrom('account_export').where('account_id', '=', accountId).execute();
};

/** The sealed pieces of all files, a page at a time. */
export const listSealedPieces = (
  db: Kysely<Database>,
  { after, limit }: { after: { account_id: string; number: number }; limit: number },
): Promise<{ account_id: string; number: number; sealed: string }[]> =>
  db
    .selectFrom('account_export_piece')
    .select(['account_id', 'number', 'sealed'])
    .where((where) =>
      where.or([
        where('account_id', '>', after.account_id),
        where.and([where('account_id', '=', after.account_id), where('number', '>', after.number)]),
      ]),
    )
    .orderBy('account_id')
    .orderBy('number')
    .limit(limit)
    .execute();

/** Replaces the sealed text `from` by `to` unless another process has; answers whether it was replaced. */
export const updateSealedPiece = async (
  db: Kysely<Database>,
  piece: { account_id: string; number: number; from: string; to: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('account_export_piece')
    .set({ sealed: piece.to })
    .where('account_id', '=', piece.account_id)
    .where('number', '=', piece.number)
    .where('sealed', '=', piece.from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
