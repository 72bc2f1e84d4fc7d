import { type Insertable, type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Database } from './database.ts';
import { deleteExpired } from './delete-expired.ts';
import type { SqlTime } from './sql-time.ts';

type Table = keyof Database;
type Row<T extends Table> = Selectable<Database[T]>;
type Column<T extends Table> = keyof Row<T> & string;
type NewRow<T extends Table> = Insertable<Database[T]>;
type Scalar = string | number | boolean | Date;

/** What columns hold: a value, one of several, or null. A column that is not named may hold anything. */
export type Match<T extends Table> = {
  readonly [C in Column<T>]?: Extract<Row<T>[C], Scalar | null> | readonly Extract<Row<T>[C], Scalar>[];
};

/** Values to write, or the SQL that computes them. */
type Written<Values> = { readonly [C in keyof Values]: Values[C] | RawBuilder<unknown> };

/** How a table is used whose rows are good until an end. */
interface Declaration<T extends Table, C extends Column<T>, O extends Column<T>, E extends Column<T>> {
  table: T;
  /** Those that are read: docs/decisions/027-columns-by-name.md. */
  columns: readonly C[];
  /** Whose a row is. */
  owner: O;
  /** When a row ends. The column needs an index. */
  endsAt: E;
  /** A new row takes the place of the one with the same values in these columns, which are unique together. */
  key?: readonly Column<T>[];
  /** How long a new row is good, unless it says itself when it ends. */
  seconds?: number;
  /** For how long an ended row is known; 0 by default. */
  keptSeconds?: number;
  /** Holds for rows that the sweep may delete; all by default. */
  sweptIf?: RawBuilder<SqlBool>;
  /** The order of `list`; any by default. */
  order?: RawBuilder<unknown>;
}

/**
 * What a table does whose rows are good until an end. Each function is one statement. `at` is the time by which a row is
 * good: the database's, or that of a service's clock (docs/decisions/054-which-clock.md).
 */
interface ExpiringRows<T extends Table, Found, Owner, E extends string> {
  /** Stores a row and answers it. */
  put(
    db: Kysely<Database>,
    row: Written<Omit<NewRow<T>, E> & Partial<NewRow<T>>>,
    at: SqlTime,
  ): Promise<Found>;
  /** A row that is good. */
  find(db: Kysely<Database>, match: Match<T>, at: SqlTime): Promise<Found | undefined>;
  /** All rows that are good. */
  list(db: Kysely<Database>, match: Match<T>, at: SqlTime): Promise<Found[]>;
  /** A row that is good or over: until it is swept, what was there is told from what never was. */
  findKept(db: Kysely<Database>, match: Match<T>): Promise<Found | undefined>;
  /** Changes a row that is good and answers it: to one caller alone, where it matches no more afterwards. */
  change(
    db: Kysely<Database>,
    match: Match<T>,
    values: Written<Partial<NewRow<T>>>,
    at: SqlTime,
  ): Promise<Found | undefined>;
  /** Deletes a row that is good and answers it, to one caller alone. */
  take(db: Kysely<Database>, match: Match<T>, at: SqlTime): Promise<Found | undefined>;
  /** The statement of `take`, as a part of one that does something with the row. */
  taking(match: Match<T>, at: SqlTime): RawBuilder<Found>;
  /** Deletes what an owner has, or several have, good or over, and answers it: what matches `only` and not `except`. */
  endOf(
    db: Kysely<Database>,
    owner: Owner | readonly Owner[],
    only?: Match<T>,
    except?: Match<T>,
  ): Promise<Found[]>;
  /** Deletes at most `limit` rows that are over and no longer kept, and answers how many. */
  sweep(db: Kysely<Database>, now: SqlTime, limit: number): Promise<number>;
}

const refs = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));

/** @throws TypeError for a match that names no column, or one without a value: it would match every row */
const matches = (match: object): RawBuilder<SqlBool> => {
  const conditions = Object.entries(match).map(([column, value]) => {
    if (value === undefined) throw new TypeError(`no value for ${column}`);
    if (value === null) return sql`${sql.ref(column)} is null`;
    if (!Array.isArray(value)) return sql`${sql.ref(column)} = ${value}`;
    return value.length > 0 ? sql`${sql.ref(column)} in (${sql.join(value)})` : sql`false`;
  });
  if (conditions.length === 0) throw new TypeError('a match names no column');
  return sql`(${sql.join(conditions, sql` and `)})`;
};

const assignments = (values: object) =>
  sql.join(Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`));

const insertion = (table: Table, values: object, key: readonly string[] | undefined) => {
  const columns = Object.keys(values);
  const others = columns.filter((column) => !key?.includes(column));
  const taken = Object.fromEntries(others.map((column) => [column, sql.ref(`excluded.${column}`)]));
  const replacing = key ? sql`on conflict (${refs(key)}) do update set ${assignments(taken)}` : sql``;
  return sql`insert into ${sql.table(table)} (${refs(columns)}) values (${sql.join(Object.values(values))}) ${replacing}`;
};

/**
 * Declares a table of what is good until an end: what is used once, and what stands for something for a while. Two
 * callers never take the same row; `operation/sweep.ts` has a line of it.
 */
export const expiringRows = <T extends Table, C extends Column<T>, O extends Column<T>, E extends Column<T>>({
  table,
  columns,
  owner,
  endsAt,
  key,
  seconds,
  keptSeconds = 0,
  sweptIf,
  order,
}: Declaration<T, C, O, E>): ExpiringRows<T, Pick<Row<T>, C>, NonNullable<Row<T>[O]>, E> => {
  type Found = Pick<Row<T>, C>;
  const from = sql.table(table);
  const found = refs(columns);
  const life = (at: SqlTime) =>
    seconds === undefined
      ? {}
      : { [endsAt]: sql`cast(${at} as timestamptz) + make_interval(secs => ${sql.lit(seconds)})` };
  const isGood = (match: Match<T>, at: SqlTime) => sql`${matches(match)} and ${sql.ref(endsAt)} > ${at}`;
  const rowsOf = async (db: Kysely<Database>, statement: RawBuilder<Found>): Promise<Found[]> =>
    (await statement.execute(db)).rows;
  const list = (db: Kysely<Database>, match: Match<T>, at: SqlTime) =>
    rowsOf(
      db,
      sql`select ${found} from ${from} where ${isGood(match, at)} ${order ? sql`order by ${order}` : sql``}`,
    );
  const taking = (match: Match<T>, at: SqlTime) =>
    sql<Found>`delete from ${from} where ${isGood(match, at)} returning ${found}`;

  return {
    put: async (db, row, at) => {
      const values = { ...life(at), ...row };
      const [stored] = await rowsOf(db, sql`${insertion(table, values, key)} returning ${found}`);
      if (!stored) throw new Error(`nothing was stored in ${table}`);
      return stored;
    },
    find: async (db, match, at) => (await list(db, match, at))[0],
    list,
    findKept: async (db, match) =>
      (await rowsOf(db, sql`select ${found} from ${from} where ${matches(match)}`))[0],
    change: async (db, match, values, at) => {
      const change = sql<Found>`update ${from} set ${assignments(values)} where ${isGood(match, at)}`;
      return (await rowsOf(db, sql`${change} returning ${found}`))[0];
    },
    take: async (db, match, at) => (await rowsOf(db, taking(match, at)))[0],
    taking,
    endOf: (db, ofOwner, only = {}, except) => {
      // A column that is null matches nothing: its row is no exception.
      const kept = except ? sql`and (${matches(except)}) is not true` : sql``;
      const ended = matches({ [owner]: ofOwner, ...only });
      return rowsOf(db, sql`delete from ${from} where ${ended} ${kept} returning ${found}`);
    },
    sweep: (db, now, limit) => deleteExpired(db, { table, column: endsAt, now, keptSeconds, limit }, sweptIf),
  };
};
