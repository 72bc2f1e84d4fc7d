import type { Locale } from '@candela/contract';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { IdentifierKind } from '../../ground/identifier/identifier.ts';
import type { AccountRow } from './account.table.ts';

/** What apps learn of an account, as one JSON value that a statement can select together with a token. */
export interface AccountFacts {
  id: string;
  /** `leaving`: it is to be deleted, and may still be kept. */
  status: AccountRow['status'] | 'leaving';
  nickname: string;
  locale: Locale;
  /** The name of its picture. */
  avatar: string | null;
  /** Seconds since the epoch. */
  updatedAt: number;
  /** In the order in which they were verified. */
  identifiers: { kind: IdentifierKind; value: string; display: string }[];
}

/** An expression for the account that a column names; null when there is none. */
export const accountFactsOf = (accountId: string): RawBuilder<AccountFacts | null> => sql`(
  select json_build_object(
    'id', facts.id, 'status', case when facts.leaving_at is not null and facts.status = 'active' then 'leaving' else facts.status end, 'nickname', facts.nickname, 'locale', facts.locale,
    'avatar', (select picture.name from avatar as picture where picture.account_id = facts.id),
    'updatedAt', floor(extract(epoch from facts.updated_at)),
    'identifiers', coalesce((
      select json_agg(json_build_object('kind', means.kind, 'value', means.value, 'display', means.display)
        order by means.verified_at, means.kind)
      from account_identifier as means where means.account_id = facts.id
    ), '[]'::json)
  ) from account as facts where facts.id = ${sql.ref(accountId)}
)`;

export const findAccountFacts = async (
  db: Kysely<Database>,
  id: string,
): Promise<AccountFacts | undefined> => {
  const row = await db
    .selectFrom('account')
    .select(accountFactsOf('account.id').as('facts'))
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.facts ?? undefined;
};
