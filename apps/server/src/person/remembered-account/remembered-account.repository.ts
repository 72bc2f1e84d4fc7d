import { type Expression, type Kysely, type QueryCreator, type SqlBool, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { compileOnce, type Param } from '../../ground/db/statement.ts';

/** The values of `rememberingOf`, or the parameters that stand for them. */
type Remembering = Record<
  'deviceHash' | 'accountId' | 'epoch' | 'lastUsedAt' | 'kind' | 'value' | 'display',
  Expression<unknown>
>;

/**
 * The statement that remembers an account in a browser, with the identifier that was submitted there, in place of an
 * earlier one. It does nothing where the account is no longer of the session epoch: a transaction that raises the
 * epoch is waited for, or finds the row and deletes it.
 */
export const rememberingOf = (
  db: QueryCreator<Database>,
  { deviceHash, accountId, epoch, lastUsedAt, kind, value, display }: Remembering,
  guard: Expression<SqlBool>,
) =>
  db
    .insertInto('device_account')
    .columns(['device_hash', 'account_id', 'last_used_at', 'kind', 'value', 'display'])
    .expression(
      sql`select cast(${deviceHash} as text), id, cast(${lastUsedAt} as timestamptz), cast(${kind} as text),
          cast(${value} as text), cast(${display} as text)
        from account where id = ${accountId} and session_epoch = cast(${epoch} as int) and ${guard} for share`,
    )
    .onConflict((conflict) =>
      conflict.columns(['device_hash', 'account_id']).doUpdateSet(({ ref }) => ({
        last_used_at: ref('excluded.last_used_at'),
        kind: ref('excluded.kind'),
        value: ref('excluded.value'),
        display: ref('excluded.display'),
      })),
    );

export interface RememberedIdentifier {
  accountId: string;
  /** As it was typed in that browser. */
  identifier: string;
}

const selectRemembered = compileOnce((db, param: Param<{ browserHash: string; limit: number }>) =>
  db
    .selectFrom('device_account')
    .innerJoin('account_identifier as bound', (join) =>
      join
        .onRef('bound.account_id', '=', 'device_account.account_id')
        .onRef('bound.kind', '=', 'device_account.kind')
        .onRef('bound.value', '=', 'device_account.value'),
    )
    .innerJoin('account', 'account.id', 'device_account.account_id')
    .select(['device_account.account_id as accountId', 'device_account.display as identifier'])
    .$narrowType<{ identifier: string }>()
    .where('device_hash', '=', param('browserHash'))
    .where('device_account.display', 'is not', null)
    .where('account.status', '=', 'active')
    .orderBy('last_used_at', 'desc')
    .orderBy('device_account.account_id')
    .limit(param('limit')),
);

/**
 * The identifiers that were submitted in the browser, the last used first, where they still belong to the account that
 * they opened and the account may be used.
 */
export const listRememberedIdentifiers = (
  db: Kysely<Database>,
  browserHash: string,
  limit: number,
): Promise<RememberedIdentifier[]> => selectRemembered(db, { browserHash, limit });

export const deleteRememberedAccount = async (
  db: Kysely<Database>,
  browserHash: string,
  accountId: string,
): Promise<void> => {
  await db
    .deleteFrom('device_account')
    .where('device_hash', '=', browserHash)
    .where('account_id', '=', accountId)
    .execute();
};

/** Makes every browser forget the account, except the browser with the digest `except`. */
export const deleteRememberedAccountsOf = async (
  db: Kysely<Database>,
  accountId: string,
  except?: string,
): Promise<void> => {
  const query = db.deleteFrom('device_account').where('account_id', '=', accountId);
  await (except === undefined ? query : query.where('device_hash', '!=', except)).execute();
};

/** Whether the browser signed in as the account before. */
export const isRemembered = async (
  db: Kysely<Database>,
  browserHash: string,
  accountId: string,
): Promise<boolean> => {
  const row = await db
    .selectFrom('device_account')
    .select('account_id')
    .where('device_hash', '=', browserHash)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
};
