import { setTimeout as wait } from 'node:timers/promises';
import { type CompiledQuery, type Expression, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../../ground/db/database.ts';
import { isOutage } from '../../../ground/db/outage.ts';
import { fill, type Template, toTemplate } from '../../../ground/db/statement.ts';
import { inTransaction } from '../../../ground/db/transact.ts';
import type { UnitOfWork } from './unit.ts';
import type { Write, WriteKind } from './write.ts';

export type FlushOutcome =
  /** Everything is written. */
  | 'committed'
  /** Another request had spent what this one spends: nothing is written. */
  | 'spent'
  /** The grant or session that the unit builds on ended meanwhile: nothing is written. */
  | 'gone'
  /** The person took scopes away that the unit's tokens have: nothing is written. */
  | 'narrowed'
  /** Since the sign-in began, a new password was set or the account was disabled: nothing is written. */
  | 'overtaken'
  /** All is written but the refresh token: another request made the successor first. */
  | 'rotated-elsewhere'
  /** All is written, in a session to which another request gave a new id meanwhile. */
  | 'renewed-elsewhere';

const FOREIGN_KEY_VIOLATION = '23503';
const DIVISION_BY_ZERO = '22012';
/** feature_not_supported: a statement that was prepared before its table changed. */
const PLAN_OUTDATED = '0A000';
const ATTEMPTS = 3;

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

const TRUE = sql<SqlBool>`true`;

/** The name of a part of a composed statement, by its place. */
const part = (index: number) => sql.table(`write${index}`);

/** How many rows some parts return. PostgreSQL finishes a part before it has counted its rows. */
const rowsOf = (indexes: readonly number[]): RawBuilder<number> =>
  sql`${sql.join(
    indexes.map((index) => sql`(select count(*) from ${part(index)})`),
    sql` + `,
  )}`;

interface Written {
  spent: boolean;
  /** How many tokens the rotation made; 1 where nothing rotates. */
  rotated: number;
  /** Whether the session has the id that the unit knows; true where no session is written. */
  renewed: boolean;
}

/** A part that others wait for. PostgreSQL works out its condition once, and each of the others reads the answer. */
const gate = (name: string, condition: RawBuilder<SqlBool>) => ({
  part: sql`${sql.ref(name)} as materialized (select ${condition} as open)`,
  isOpen: sql<SqlBool>`(select open from ${sql.table(name)})`,
});

/** Undoes the statement that it is part of where a grant is not as the request read it: nothing but an error does. */
const unlessNarrowed = (holds: readonly number[]): RawBuilder<unknown> =>
  sql`${sql.join(
    holds.map(
      (index) => sql`1 / cast((select coalesce(bool_and(as_read), true) from ${part(index)}) as integer)`,
    ),
  )}`;

/**
 * Composes all writes into one statement; the values of the n-th are those of the n-th part.
 *
 * PostgreSQL runs the parts of a statement in an unpredictable order, and all parts see one snapshot. So no part relies
 * on its place (docs/decisions/051-parts-of-one-statement.md). A part that must run after another reads, in its guard,
 * a gate that counts the rows which that other part returns: first the spends, each of which locks its grant in its own
 * condition; then `hold` and `end`, which change a grant; then all else. So every statement locks a grant before the
 * rows that hang on it: the order of locks of `link/ending/end.ts`. Foreign keys are checked after all parts. Where two
 * statements wait for each other all the same, PostgreSQL ends one with nothing written, and it is tried again.
 */
const compose = (db: Kysely<Database>, writes: readonly Write[]): CompiledQuery<Written> => {
  const indexesOf = (wanted: WriteKind) =>
    writes.flatMap(({ kind }, index) => (kind === wanted ? [index] : []));
  const spends = indexesOf('spend');
  const holds = indexesOf('hold');
  const grants = [...holds, ...indexesOf('end')];
  const spent =
    spends.length > 0
      ? gate('spent', sql<SqlBool>`${rowsOf(spends)} = ${sql.lit(spends.length)}`)
      : undefined;
  const isSpent = spent?.isOpen ?? TRUE;
  const held =
    grants.length > 0 ? gate('held', sql<SqlBool>`${isSpent} and ${rowsOf(grants)} >= 0`) : undefined;
  const guards: Partial<Record<WriteKind, Expression<SqlBool>>> = { spend: TRUE, end: TRUE, hold: isSpent };
  const guard = held?.isOpen ?? isSpent;
  const toPart = ({ kind, build }: Write, index: number) =>
    sql`${part(index)} as (${build(db, index, guards[kind] ?? guard)})`;
  const parts = writes.map(toPart);
  // A part can name only what stands before it.
  if (held) parts.splice(spends.length + grants.length, 0, held.part);
  if (spent) parts.splice(spends.length, 0, spent.part);
  writes.forEach(({ follow }, index) => {
    for (const [nth, each] of (follow?.(db, index, part(index)) ?? []).entries())
      parts.push(sql`${sql.table(`write${index}then${nth}`)} as (${each})`);
  });
  const [rotated] = indexesOf('rotate');
  const [renewed] = indexesOf('renew');
  return sql<Written>`with ${sql.join(parts)} select ${isSpent} as spent,
    ${rotated === undefined ? sql`1` : rowsOf([rotated])} as rotated,
    ${renewed === undefined ? TRUE : sql`(select coalesce(bool_and(renewed), true) from ${part(renewed)})`} as renewed
    ${holds.length > 0 ? sql`, ${unlessNarrowed(holds)}` : sql``}`.compile(db);
};

/** Composed statements by the shapes of their writes, of which requests have a few dozen sequences. */
const composed = new Map<string, Template<Written>>();
const alone = new Map<string, Template<unknown>>();

const known = <Row>(
  templates: Map<string, Template<Row>>,
  shape: string,
  compile: () => CompiledQuery<Row>,
): Template<Row> => {
  const template = templates.get(shape) ?? toTemplate(compile());
  templates.set(shape, template);
  return template;
};

const write = async (db: Kysely<Database>, writes: readonly Write[]): Promise<FlushOutcome> => {
  const shape = writes.map((each) => each.shape).join();
  const values = writes.map((each) => each.settle());
  const { rows } = await db.executeQuery(
    fill(
      known(composed, shape, () => compose(db, writes)),
      values,
    ),
  );
  const [row] = rows;
  if (!row?.spent) return 'spent';
  if (!row.renewed) return 'renewed-elsewhere';
  return Number(row.rotated) === 0 ? 'rotated-elsewhere' : 'committed';
};

const writeAlone = async (db: Kysely<Database>, { shape, build, settle }: Write): Promise<number> => {
  const template = known(alone, shape, () => build(db, 0, TRUE).compile());
  const { rows } = await db.executeQuery(fill(template, [settle()]));
  return rows.length;
};

/** Locks what is required, then the rest: the account before its sessions, in the order of locks of `link/ending/end.ts`. */
const writeLocked = (
  db: Kysely<Database>,
  { requirements, locks, writes }: { requirements: Write[]; locks: Write[]; writes: Write[] },
) =>
  inTransaction(db, async (trx): Promise<FlushOutcome> => {
    for (const requirement of requirements) {
      if ((await writeAlone(trx, requirement)) === 0) return 'overtaken';
    }
    for (const lock of locks) await writeAlone(trx, lock);
    return write(trx, writes);
  });

const LOOKS = 3;
const LOOK_PAUSE_MS = 300;
/** Short: the caller has already waited for the answer that was lost. */
const LOOK_MS = 1_500;

/**
 * Whether a unit is written although its answer was lost. One row shows it for all that is written together. False
 * where no row can show it, or the database does not answer in time.
 */
const isFoundWritten = async (db: Kysely<Database>, writes: readonly Write[]): Promise<boolean> => {
  const [isWritten] = writes.flatMap((each) => each.isWritten ?? []);
  if (!isWritten) return false;
  const look = async () => {
    for (let looks = 1; ; looks += 1) {
      try {
        return await isWritten(db);
      } catch {
        // The caller throws the error of the unit, not this one.
        if (looks === LOOKS) return false;
      }
      await wait(LOOK_PAUSE_MS);
    }
  };
  return Promise.race([look(), wait(LOOK_MS, false, { ref: false })]);
};

/** Not written where the engine answered an error. */
const ISSUED: ReadonlySet<WriteKind> = new Set(['issue', 'rotate', 'hold']);
const APART: ReadonlySet<WriteKind> = new Set(['require', 'lock']);

/**
 * Writes what the unit queued, in one statement; after locks, in one transaction with them. Where the answer of the
 * database is lost, a unit counts as written if a row shows it.
 * @param failed whether the engine answered an error: then no token is issued, and what was spent stays spent.
 * @throws the database's error, where nothing shows that the unit is written.
 */
export const flush = async (
  db: Kysely<Database>,
  unit: UnitOfWork,
  { failed = false }: { failed?: boolean } = {},
): Promise<FlushOutcome> => {
  const queued = unit.takeWrites().filter(({ kind }) => !(failed && ISSUED.has(kind)));
  const ofKind = (wanted: WriteKind) => queued.filter(({ kind }) => kind === wanted);
  const [requirements, locks] = [ofKind('require'), ofKind('lock')];
  const first = [...ofKind('spend'), ...ofKind('hold'), ...ofKind('end')];
  // A guard can name only parts that stand before its own.
  const writes = [...first, ...queued.filter((each) => !APART.has(each.kind) && !first.includes(each))];
  const plain = requirements.length === 0 && locks.length === 0;
  if (writes.length === 0) return 'committed';
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await (plain ? write(db, writes) : writeLocked(db, { requirements, locks, writes }));
    } catch (error) {
      if (codeOf(error) === FOREIGN_KEY_VIOLATION) return 'gone';
      if (codeOf(error) === DIVISION_BY_ZERO) return 'narrowed';
      // Nothing is written, so all of it can be tried again.
      if (codeOf(error) === PLAN_OUTDATED && attempt < ATTEMPTS) continue;
      if (isOutage(error) && (await isFoundWritten(db, writes))) return 'committed';
      throw error;
    }
  }
};
