import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { AccountIdentifierRow, AccountRow, NewAccountRow } from './account.table.ts';

// Rows travel as one JSON parameter, so that a batch of any size is the same statement.

/** The owners of these identifiers; free identifiers are left out. */
export const listIdentifierOwners = async (
  db: Kysely<Database>,
  identifiers: readonly Pick<AccountIdentifierRow, 'kind' | 'value'>[],
): Promise<Pick<AccountIdentifierRow, 'kind' | 'value' | 'account_id'>[]> => {
  const { rows } = await sql<Pick<AccountIdentifierRow, 'kind' | 'value' | 'account_id'>>`
    select owned.kind, owned.value, owned.account_id
    from jsonb_to_recordset(${JSON.stringify(identifiers)}::jsonb) as asked(kind text, value text)
    join account_identifier as owned on owned.kind = asked.kind and owned.value = asked.value`.execute(db);
  return rows;
};

/** Which of the ids belong to accounts. */
export const listAccountIds = async (db: Kysely<Database>, ids: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from account where id = any(${[...ids]}::text[])`.execute(db);
  return rows.map(({ id }) => id);
};

/** The accounts among `ids`, in their order. None of them is deleted meanwhile. */
export const holdAccounts = async (
  db: Kysely<Database>,
  ids: readonly string[],
): Promise<Pick<AccountRow, 'id' | 'locale'>[]> => {
  const { rows } = await sql<Pick<AccountRow, 'id' | 'locale'>>`
    select id, locale from account where id = any(${[...ids]}::text[]) order by id for key share`.execute(db);
  return rows;
};

/** Inserts the accounts whose id is free, and answers how many. */
export const insertAccounts = async (
  db: Kysely<Database>,
  rows: readonly NewAccountRow[],
): Promise<number> => {
  const { numAffectedRows } = await sql`
    insert into account (id, nickname, locale, status, created_at, updated_at)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as added(
      id text, nickname text, locale text, status text, created_at timestamptz, updated_at timestamptz)
    on conflict do nothing`.execute(db);
  return Number(numAffectedRows);
};

/** Inserts the identifiers that are free, and answers how many. */
export const insertIdentifiers = async (
  db: Kysely<Database>,
  rows: readonly Omit<AccountIdentifierRow, 'bound_since'>[],
): Promise<number> => {
  const { numAffectedRows } = await sql`
    insert into account_identifier (kind, value, display, account_id, verified_at)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as added(
      kind text, value text, display text, account_id text, verified_at timestamptz)
    on conflict (kind, value) do nothing`.execute(db);
  return Number(numAffectedRows);
};
