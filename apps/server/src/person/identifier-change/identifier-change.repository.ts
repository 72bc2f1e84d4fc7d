import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { expiringRows } from '../../ground/db/expiring-rows.ts';
import type { Identifier, IdentifierKind } from '../../ground/identifier/identifier.ts';
import type { IdentifierChangeRow } from './identifier-change.table.ts';

const columns = [
  'id',
  'account_id',
  'kind',
  'value',
  'display',
  'verified_at',
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

/**
 * Changes while their links work, by the database's clock; those that wait have no `done_at`. The newest first. Callers
 * that put one lock the account first: the second of two finds what the first did.
 */
export const identifierChangeRows = expiringRows({
  table: 'identifier_change',
  columns,
  owner: 'account_id',
  // When a change that waits is carried out, and when the link ends.
  endsAt: 'due_at',
  seconds: 72 * 3600,
  // The others are carried out.
  sweptIf: sql`done_at is not null`,
  order: sql`requested_at desc`,
});

const isLive = sql<boolean>`due_at > now()`;
const isDue = sql<boolean>`done_at is null and due_at <= now()`;

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

/** Takes a change that has waited for long enough; undefined when it was undone or given up meanwhile. */
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
