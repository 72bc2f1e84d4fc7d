import {
  type Expression,
  type InsertObject,
  type QueryCreator,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { errors } from 'oidc-provider';
import { databaseNow } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { isStorable } from '../../db/storable-text.ts';

/** How JSON spells what a text in the database cannot hold, unless a backslash is meant. */
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

/** When what lasts `seconds` from now ends: seconds since the epoch by the database's clock. */
export const endIn = (seconds: number): number => Math.floor(databaseNow().getTime() / 1000) + seconds;

export const toSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/** INSERT ... SELECT, so that the row can depend on what the same statement spends. Values carry their types. */
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

/** A payload with the mark of the request that spends its row; the engine does not read it. */
export const markSpent = (mark: Expression<string>): RawBuilder<string> =>
  sql`payload || jsonb_build_object(${SPENT_BY}, ${text(mark)})`;

/**
 * Whether a row was spent with that mark. To be selected and not searched by, under a lock of the row: only so it
 * waits for a statement that is still at work on it, and tells what that one wrote.
 */
export const isSpentBy = (mark: string): RawBuilder<boolean> =>
  sql<boolean>`coalesce(payload->>${SPENT_BY} = ${text(mark)}, false)`;
