import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { createOpaqueToken, hashToken } from '../../ground/opaque-token.ts';
import type { AdditionRow } from './addition.table.ts';

/** For so long what was added to an account can be taken back, and counts as young as it is. */
export const ADDED_HOURS = 72;

const columns = [
  'undo_hash',
  'account_id',
  'kind',
  'passkey_id',
  'session_uid',
  'added_at',
  'expires_at',
] as const satisfies readonly (keyof AdditionRow)[];

/** Notes what was added; answers the token of the link, of which the hash alone is stored. */
export const noteAddition = async (
  trx: Kysely<Database>,
  {
    at,
    ...row
  }: Pick<AdditionRow, 'account_id' | 'kind' | 'session_uid'> & { passkey_id?: string; at: Date },
): Promise<string> => {
  const token = createOpaqueToken();
  const expires_at = new Date(at.getTime() + ADDED_HOURS * 3_600_000);
  await trx
    .insertInto('addition')
    .values({ passkey_id: null, ...row, undo_hash: hashToken(token), added_at: at, expires_at })
    .execute();
  return token;
};

/** What a link takes back; undefined once the link is used or over. */
export const findAddition = (
  db: Kysely<Database>,
  undoHash: string,
  at: Date,
): Promise<AdditionRow | undefined> =>
  db
    .selectFrom('addition')
    .select(columns)
    .where('undo_hash', '=', undoHash)
    .where('expires_at', '>', at)
    .executeTakeFirst();

/** What was added in a session and can be taken back, in the order in which it came. */
export const listAdditionsOfSession = (
  db: Kysely<Database>,
  { accountId, uid, at }: { accountId: string; uid: string; at: Date },
): Promise<AdditionRow[]> =>
  db
    .selectFrom('addition')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('session_uid', '=', uid)
    .where('expires_at', '>', at)
    .orderBy('added_at')
    .orderBy('kind')
    .execute();

/** Uses the link up; undefined where it was used or is over. */
export const deleteAddition = (
  db: Kysely<Database>,
  undoHash: string,
  at: Date,
): Promise<AdditionRow | undefined> =>
  db
    .deleteFrom('addition')
    .where('undo_hash', '=', undoHash)
    .where('expires_at', '>', at)
    .returning(columns)
    .executeTakeFirst();

/** Ends the links of an authenticator app that is gone, and of its recovery codes. */
export const deleteAdditionsOfFactor = async (db: Kysely<Database>, accountId: string): Promise<void> => {
  await db
    .deleteFrom('addition')
    .where('account_id', '=', accountId)
    .where('kind', 'in', ['totp', 'recovery_codes'])
    .execute();
};
