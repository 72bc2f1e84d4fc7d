import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { type Compilable, type Expression, type Kysely, type QueryCreator, type SqlBool, sql } from 'kysely';
import type { RequestFacts } from '../../browser/request-facts.ts';
import type { RefreshMode } from '../../client/policy-metadata.ts';
import type { Database } from '../../db/database.ts';
import { isOutage, type OutageWatch, watchOutages } from '../../db/outage.ts';
import type { SessionRow } from '../../session/session.table.ts';
import { fill, placeholders, type Template, toTemplate, type Values } from './statement.ts';

/**
 * A statement that a unit can write. `build` depends on nothing but its values, which are placeholders while
 * it is compiled, and `guard`: what has to hold for it, where the unit spends something.
 */
export interface WriteStatement<V extends Values> {
  readonly id: number;
  build(db: QueryCreator<Database>, values: V, guard: Expression<SqlBool> | undefined): Compilable;
  /** Whether a write with just these values is in the database, where its row tells. */
  isWritten?(db: Kysely<Database>, values: V): Promise<boolean>;
}

let statements = 0;

/** Defines a statement once, at the top of a module: what is compiled of it is kept for good. */
export const defineWrite = <V extends Values>(
  build: WriteStatement<V>['build'],
  isWritten?: WriteStatement<V>['isWritten'],
): WriteStatement<V> => ({
  id: statements++,
  build,
  ...(isWritten && { isWritten }),
});

/**
 * - `spend`: must match a row, or nothing of the unit happens.
 * - `issue`: dropped when the engine answered an error.
 * - `rotate`: an `issue` that another request may have been faster with; it returns its row.
 * - `state`: always written.
 * - `require`: must match a row, which it locks, or nothing of the unit happens.
 * - `lock`: taken before all else, in the same transaction: a statement does not see what the requests it
 *   waits for have written, the next one does.
 */
type WriteKind = 'spend' | 'issue' | 'rotate' | 'state' | 'require' | 'lock';

interface Write {
  kind: WriteKind;
  statement: WriteStatement<never>;
  values: Values | (() => Values);
}

/** Queues a write under its key, in place of an earlier one of that key; values can be left to the flush. */
export const queueWrite = <V extends Values>(
  unit: UnitOfWork,
  key: string,
  kind: WriteKind,
  statement: WriteStatement<V>,
  values: V | (() => V),
): void => {
  unit.writes.set(key, { kind, statement, values });
};

/** A token's successor, as the row of the token presented tells it. */
interface Successor {
  sealedValue: string;
}

/**
 * The reads and writes of one request. Reads are kept, so that what one statement fetched serves the
 * engine's later look-ups; writes queue and go in one statement, so that they happen together or not
 * at all. Keys are `Model:id`: two writes to one row become the later of them.
 */
export interface UnitOfWork extends OutageWatch {
  readonly facts: RequestFacts;
  /** The session a new grant hangs on. */
  sessionUid: string | undefined;
  reads: Map<string, Promise<unknown>>;
  writes: Map<string, Write>;
  /** Rows of sessions read in this unit, by uid: these exist and are never inserted. */
  sessions: Map<
    string,
    {
      id: string | undefined;
      row: SessionRow;
    }
  >;
  /** The engine would have kept a session of nobody's; the browser is not told of it either. */
  sessionless: boolean;
  rotation: { predecessor: string; mode: RefreshMode; issued?: string; successor?: Successor } | undefined;
  /** What becomes an event once all is written. */
  noted: {
    /** The engine's own error, whatever the answer says of it. */
    refusal?: unknown;
    /** The engine ended the family of the refresh token that was presented. */
    familyEnded?: boolean;
    /** A code was presented that was spent longer ago than anything hangs on. */
    lateCode?: boolean;
  };
  /** A database that could not be reached: the answer is 503 whatever the engine made of it. */
  outage: unknown;
}

export type FlushOutcome =
  /** Everything is written. */
  | 'committed'
  /** What was to be spent had been spent: nothing is written. */
  | 'spent'
  /** The grant or session that the unit builds on ended meanwhile: nothing is written. */
  | 'gone'
  /** The sign-in was overtaken: a new password was set since it began, or the account was disabled. Nothing is written. */
  | 'overtaken'
  /** Written, but for the refresh token: another request made the successor first. */
  | 'rotated-elsewhere';

const storage = new AsyncLocalStorage<UnitOfWork>();

/** @param readFacts is asked when something is written that people see later, which most requests do not. */
export const createUnitOfWork = (readFacts: () => RequestFacts): UnitOfWork => ({
  get facts() {
    return readFacts();
  },
  sessionUid: undefined,
  reads: new Map(),
  writes: new Map(),
  sessions: new Map(),
  sessionless: false,
  rotation: undefined,
  noted: {},
  outage: undefined,
});

export const currentUnit = (): UnitOfWork | undefined => storage.getStore();

export const runInUnit = <T>(unit: UnitOfWork, work: () => Promise<T>): Promise<T> =>
  storage.run(unit, () => watchOutages(unit, work));

const FOREIGN_KEY_VIOLATION = '23503';
/** deadlock_detected, and feature_not_supported: a statement that was prepared before its table changed. */
const UNWRITTEN: ReadonlySet<unknown> = new Set(['40P01', '0A000']);
const ATTEMPTS = 3;
const codeOf = (error: unknown) => (error as { code?: unknown } | undefined)?.code;

/** All writes as one statement, spends first; of the n-th the values are called `n.name`. */
const compose = (db: QueryCreator<Database>, writes: readonly Write[]) => {
  const spends = writes.filter(({ kind }) => kind === 'spend');
  const guard =
    spends.length > 0
      ? sql<SqlBool>`(select count(*) from (${sql.join(
          spends.map((_, index) => sql`select 1 from ${sql.table(`write${index}`)}`),
          sql` union all `,
        )}) as spent) = ${sql.lit(spends.length)}`
      : undefined;

  let query = db;
  for (const [index, { kind, statement }] of writes.entries()) {
    query = query.with(
      `write${index}`,
      (creator) =>
        statement.build(
          creator as QueryCreator<Database>,
          placeholders(`${index}.`),
          kind === 'spend' ? undefined : guard,
        ) as never,
    ) as never;
  }
  const rotated = writes.findIndex(({ kind }) => kind === 'rotate');
  return query.selectNoFrom([
    (guard ?? sql<SqlBool>`true`).as('spent'),
    (rotated < 0 ? sql<number>`1` : sql<number>`(select count(*) from ${sql.table(`write${rotated}`)})`).as(
      'rotated',
    ),
  ]);
};

/** What was composed and compiled, by the kinds and statements of its writes: requests have few such shapes. */
const templates = new Map<string, Template>();

const templateOf = (shape: string, make: () => Compilable): Template => {
  const known = templates.get(shape);
  if (known) return known;
  const template = toTemplate(make().compile());
  templates.set(shape, template);
  return template;
};

const valuesOf = ({ values }: Write): Values => (typeof values === 'function' ? values() : values);

const lookUpIn = (writes: readonly Write[]) => {
  const values = writes.map(valuesOf);
  return (name: string): unknown => {
    const dot = name.indexOf('.');
    return values[Number(name.slice(0, dot))]?.[name.slice(dot + 1)];
  };
};

const write = async (db: Kysely<Database>, writes: readonly Write[]): Promise<FlushOutcome> => {
  const shape = writes.map(({ kind, statement }) => `${kind}${statement.id}`).join();
  const { rows } = await db.executeQuery(
    fill(
      templateOf(shape, () => compose(db, writes)),
      lookUpIn(writes),
    ),
  );
  const [row] = rows as { spent: boolean; rotated: number }[];
  if (!row?.spent) return 'spent';
  return Number(row.rotated) === 0 ? 'rotated-elsewhere' : 'committed';
};

const writeAlone = async (db: Kysely<Database>, write: Write): Promise<number> => {
  const { statement } = write;
  const values = valuesOf(write);
  const template = templateOf(`${statement.id}`, () => statement.build(db, placeholders(), undefined));
  const { rows } = await db.executeQuery(fill(template, (name) => values[name]));
  return rows.length;
};

/** What is required is locked first: the account before its sessions, in the order in which a new password takes them. */
const writeLocked = (
  db: Kysely<Database>,
  { requirements, locks, writes }: { requirements: Write[]; locks: Write[]; writes: Write[] },
) =>
  db.transaction().execute(async (trx): Promise<FlushOutcome> => {
    for (const requirement of requirements) {
      if ((await writeAlone(trx, requirement)) === 0) return 'overtaken';
    }
    for (const lock of locks) await writeAlone(trx, lock);
    return write(trx, writes);
  });

const LOOKS = 3;
const LOOK_PAUSE_MS = 300;
/** Who asked has waited for the answer that was lost already. */
const LOOK_MS = 1_500;

/**
 * Whether a unit whose answer was lost is written all the same: what is written together is told by one row.
 * False where no row tells it, or nobody in time.
 */
const isFoundWritten = async (db: Kysely<Database>, writes: readonly Write[]): Promise<boolean> => {
  const telling = writes.find(({ statement }) => statement.isWritten);
  if (!telling) return false;
  const values = valuesOf(telling) as never;
  const look = async () => {
    for (let looks = 1; ; looks += 1) {
      try {
        return (await telling.statement.isWritten?.(db, values)) === true;
      } catch {
        // The error that the unit met is the one to be told.
        if (looks === LOOKS) return false;
      }
      await wait(LOOK_PAUSE_MS);
    }
  };
  return Promise.race([look(), wait(LOOK_MS, false, { ref: false })]);
};

const APART: ReadonlySet<WriteKind> = new Set(['require', 'lock', 'spend']);

/**
 * Writes what the unit queued: in one statement, and where it locks first in one transaction. Where the database
 * is lost meanwhile, what a row tells to be written counts as written.
 * @param failed the engine answered an error: tokens are not issued, what was spent stays spent.
 */
export const flush = async (
  db: Kysely<Database>,
  unit: UnitOfWork,
  { failed = false }: { failed?: boolean } = {},
): Promise<FlushOutcome> => {
  const queued = [...unit.writes.values()].filter(
    ({ kind }) => !(failed && (kind === 'issue' || kind === 'rotate')),
  );
  unit.writes.clear();
  const ofKind = (wanted: WriteKind) => queued.filter(({ kind }) => kind === wanted);
  const [requirements, locks, spends] = [ofKind('require'), ofKind('lock'), ofKind('spend')];
  // What depends on a spend can only name what stands before it.
  const writes = [...spends, ...queued.filter(({ kind }) => !APART.has(kind))];
  const plain = requirements.length === 0 && locks.length === 0;
  if (writes.length === 0) return 'committed';
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await (plain ? write(db, writes) : writeLocked(db, { requirements, locks, writes }));
    } catch (error) {
      if (codeOf(error) === FOREIGN_KEY_VIOLATION) return 'gone';
      // Nothing of it was written, so all of it can be tried again.
      if (UNWRITTEN.has(codeOf(error)) && attempt < ATTEMPTS) continue;
      if (isOutage(error) && (await isFoundWritten(db, writes))) return 'committed';
      throw error;
    }
  }
};
