import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import type { RecoveryWaitRow } from './recovery-wait.table.ts';

const columns = [
  'account_id',
  'kind',
  'value',
  'stop_hash',
  'requested_at',
  'due_at',
  'expires_at',
] as const satisfies readonly (keyof RecoveryWaitRow)[];

/** Callers lock the account first. It replaces a wait of the same kind, which is over or was another identifier's. */
export const upsertRecoveryWait = async (db: Kysely<Database>, row: RecoveryWaitRow): Promise<void> => {
  const { account_id, kind, ...rest } = row;
  await db
    .insertInto('recovery_wait')
    .values({ account_id, kind, ...rest })
    .onConflict((conflict) => conflict.columns(['account_id', 'kind']).doUpdateSet(rest))
    .execute();
};

/** The waits of an account that are not over, the first due before others. */
export const listRecoveryWaits = (
  db: Kysely<Database>,
  accountId: string,
  at: Date,
): Promise<RecoveryWaitRow[]> =>
  db
    .selectFrom('recovery_wait')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('expires_at', '>', at)
    .orderBy('due_at')
    .execute();

/** The wait that was asked for with an identifier. */
export const findRecoveryWait = (
  db: Kysely<Database>,
  { accountId, kind, value }: Pick<Identifier, 'kind' | 'value'> & { accountId: string },
  at: Date,
): Promise<RecoveryWaitRow | undefined> =>
  db
    .selectFrom('recovery_wait')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('value', '=', value)
    .where('expires_at', '>', at)
    .executeTakeFirst();

/** The wait that a link stops; undefined once it is over. */
export const findWaitOfLink = (
  db: Kysely<Database>,
  stopHash: string,
  at: Date,
): Promise<RecoveryWaitRow | undefined> =>
  db
    .selectFrom('recovery_wait')
    .select(columns)
    .where('stop_hash', '=', stopHash)
    .where('expires_at', '>', at)
    .executeTakeFirst();

/** Which waits of an account: all of them, or the one of a link or of an identifier; without those of `kept` kinds. */
export interface WaitChoice {
  stopHash?: string | undefined;
  kind?: Identifier['kind'];
  kept?: readonly Identifier['kind'][];
}

/** Deletes waits of an account, and answers them. */
export const deleteRecoveryWaits = (
  db: Kysely<Database>,
  accountId: string,
  { stopHash, kind, kept = [] }: WaitChoice = {},
): Promise<RecoveryWaitRow[]> => {
  let query = db.deleteFrom('recovery_wait').where('account_id', '=', accountId);
  if (stopHash !== undefined) query = query.where('stop_hash', '=', stopHash);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (kept.length > 0) query = query.where('kind', 'not in', kept);
  return query.returning(columns).execute();
};
