import {
  type Expression,
  type InsertObject,
  type QueryCreator,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { errors } from 'oidc-provider';
import { databaseNow } from '../../../ground/db/clock.ts';
import type { Database } from '../../../ground/db/database.ts';
import { isStorable } from '../../../ground/db/storable-text.ts';

/** Escapes of JSON that stand for NUL or for half a surrogate pair, unless their backslash is itself escaped. */
const SUSPICIOUS = /\\u(0000|d[89a-f])/;

const refuseUnstorable = (key: string, value: unknown): unknown => {
  if (!isStorable(key) || (typeof value === 'string' && !isStorable(value)))
    throw new errors.InvalidRequest('NUL and half a surrogate pair are not allowed');
  return value;
};

/** @throws InvalidRequest for a NUL or half a surrogate pair, which JSON can spell and jsonb cannot hold. */
export const toJson = (value: unknown): string => {
  const text = JSON.stringify(value);
  if (SUSPICIOUS.test(text)) JSON.stringify(value, refuseUnstorable);
  return text;
};

/** `text` is what `toJson` made, or null. */
export const json = (text: string | null | Expression<string | null>): RawBuilder<string> =>
  sql`cast(${text} as jsonb)`;
export const text = (value: string | null | Expression<string | null>): RawBuilder<string> =>
  sql`cast(${value} as text)`;
/** `seconds` since the epoch. */
export const time = (seconds: number | Expression<number>): RawBuilder<Date> =>
  sql`to_timestamp(cast(${seconds} as double precision))`;

/** The time `seconds` from now, in seconds since the epoch by the database's clock. */
export const endIn = (seconds: number): number => Math.floor(databaseNow().getTime() / 1000) + seconds;

export const toSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/** INSERT ... SELECT ... WHERE `guard`. A SELECT has no column to take a type from, so each value is cast to its own. */
export const insertWhere = <Table extends keyof Database & string>(
  db: QueryCreator<Database>,
  table: Table,
  values: { [Column in keyof InsertObject<Database, Table>]?: RawBuilder<unknown> },
  guard: Expression<SqlBool>,
) => {
  const columns = Object.keys(values).filter((name): name is keyof typeof values & string => name in values);
  return db
    .insertInto(table)
    .columns(columns)
    .expression(sql`select ${sql.join(Object.values(values))} where ${guard}`);
};

const SPENT_BY = sql.lit('spentBy');

/** The payload with the mark of the request that spends the row. The engine ignores the mark. */
export const markSpent = (mark: Expression<string>): RawBuilder<string> =>
  sql`payload || jsonb_build_object(${SPENT_BY}, ${text(mark)})`;

/**
 * Whether a row was spent with that mark. Select it under a lock of the row, rather than search by it: the lock waits
 * for a statement that is still changing the row, and the selection then shows what that statement wrote.
 */
export const isSpentBy = (mark: string): RawBuilder<boolean> =>
  sql<boolean>`coalesce(payload->>${SPENT_BY} = ${text(mark)}, false)`;
