import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { Identifier, IdentifierKind } from '../../ground/identifier/identifier.ts';
import type { IdentifierChangeRow, NewIdentifierChangeRow } from './identifier-change.table.ts';

/** How long a change waits, and how long a link undoes one. */
const WAIT_HOURS = 72;

const columns = [
  'id',
  'account_id',
  'kind',
  'value',
  'display',
  'bound_at',
  'new_value',
  'new_display',
  'brand',
  'undo_hash',
  'requested_at',
  'due_at',
  'done_at',
  'given_up_in',
  'session_uid',
] as const;

const isLive = sql<boolean>`due_at > now()`;
const isDue = sql<boolean>`done_at is null and due_at <= now()`;

/** Callers lock the account first: the second of two finds what the first did. */
export const insertChange = async (
  db: Kysely<Database>,
  { waits, ...row }: Omit<NewIdentifierChangeRow, 'id'> & { waits: boolean },
): Promise<void> => {
  await db
    .insertInto('identifier_change')
    .values({
      id: randomBytes(16).toString('base64url'),
      ...row,
      due_at: sql<Date>`now() + make_interval(hours => ${sql.lit(WAIT_HOURS)})`,
      done_at: waits ? null : sql<Date>`now()`,
    })
    .execute();
};

/** The changes of an account that wait, in the order in which they were asked for. */
export const listWaitingChanges = (db: Kysely<Database>, accountId: string): Promise<IdentifierChangeRow[]> =>
  db
    .selectFrom('identifier_change')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('done_at', 'is', null)
    .orderBy('requested_at')
    .execute();

/** The change that took an identifier from the account, while it can be undone. */
export const findLoss = (
  db: Kysely<Database>,
  accountId: string,
  { kind, value }: Pick<Identifier, 'kind' | 'value'>,
): Promise<IdentifierChangeRow | undefined> =>
  db
    .selectFrom('identifier_change')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('value', '=', value)
    .where('done_at', 'is not', null)
    .where('given_up_in', 'is', null)
    .where(isLive)
    .orderBy('bound_at')
    .limit(1)
    .executeTakeFirst();

/** The changes that a session made or asked for and that can be undone, the newest first. */
export const listChangesOfSession = (
  db: Kysely<Database>,
  accountId: string,
  uid: string,
): Promise<IdentifierChangeRow[]> =>
  db
    .selectFrom('identifier_change')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('session_uid', '=', uid)
    .where('given_up_in', 'is', null)
    .where(isLive)
    .orderBy('requested_at', 'desc')
    .execute();

/** The identifier of a kind that this session gave up a short while ago, while the proof of it still stands. */
export const findGivenUp = (
  db: Kysely<Database>,
  accountId: string,
  { kind, uid, proofs }: { kind: IdentifierKind; uid: string; proofs: readonly string[] },
): Promise<Pick<IdentifierChangeRow, 'bound_at'> | undefined> =>
  db
    .selectFrom('identifier_change')
    .select('bound_at')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('given_up_in', '=', uid)
    .where('value', 'in', proofs)
    .where(isLive)
    .orderBy('bound_at')
    .limit(1)
    .executeTakeFirst();

/** The change that a link undoes; undefined once the link is over. */
export const findChangeOfLink = (
  db: Kysely<Database>,
  undoHash: string,
): Promise<IdentifierChangeRow | undefined> =>
  db
    .selectFrom('identifier_change')
    .select(columns)
    .where('undo_hash', '=', undoHash)
    .where(isLive)
    .executeTakeFirst();

/** Takes the change of a link; undefined when it was undone, carried out or given up meanwhile. */
export const deleteChangeOfLink = (
  db: Kysely<Database>,
  undoHash: string,
): Promise<IdentifierChangeRow | undefined> =>
  db
    .deleteFrom('identifier_change')
    .where('undo_hash', '=', undoHash)
    .where(isLive)
    .returning(columns)
    .executeTakeFirst();

/** Takes a change that has waited for long enough; undefined as for `deleteChangeOfLink`. */
export const deleteDueChange = (db: Kysely<Database>, id: string): Promise<IdentifierChangeRow | undefined> =>
  db.deleteFrom('identifier_change').where('id', '=', id).where(isDue).returning(columns).executeTakeFirst();

/** Changes that have waited for long enough, at most `limit`. */
export const listDueChanges = (
  db: Kysely<Database>,
  limit: number,
): Promise<Pick<IdentifierChangeRow, 'id' | 'account_id'>[]> =>
  db
    .selectFrom('identifier_change')
    .select(['id', 'account_id'])
    .where(isDue)
    .orderBy('due_at')
    .limit(limit)
    .execute();

/** Deletes changes of the account that wait: one by its id, those of a kind, or all. Answers how many. */
export const deleteWaitingChanges = async (
  db: Kysely<Database>,
  accountId: string,
  { id, kind }: { id?: string; kind?: IdentifierKind } = {},
): Promise<number> => {
  let query = db
    .deleteFrom('identifier_change')
    .where('account_id', '=', accountId)
    .where('done_at', 'is', null);
  if (id !== undefined) query = query.where('id', '=', id);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  const { numDeletedRows } = await query.executeTakeFirst();
  return Number(numDeletedRows);
};

/**
 * Ends the links that would bring back an identifier bound at `boundAt` or later: a person who proved an identifier of
 * that age could have removed it at once.
 */
export const deleteYoungerLosses = async (
  db: Kysely<Database>,
  accountId: string,
  boundAt: Date,
): Promise<void> => {
  await db
    .deleteFrom('identifier_change')
    .where('account_id', '=', accountId)
    .where('done_at', 'is not', null)
    .where('bound_at', '>=', boundAt)
    .execute();
};

/** Deletes changes whose links are over, at most `limit`. */
export const deleteOverChanges = async (db: Kysely<Database>, limit: number): Promise<void> => {
  await sql`
    delete from identifier_change where id in (
      select id from identifier_change where done_at is not null and due_at <= now()
      order by due_at limit ${sql.lit(limit)} for update skip locked
    )`.execute(db);
};
