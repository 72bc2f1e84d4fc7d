import type { Compilable, Expression, Kysely, OperationNodeSource, QueryCreator, SqlBool } from 'kysely';
import type { Database } from '../../db/database.ts';
import { lookUpIn, type Param, paramOf, type Values } from './statement.ts';

/** A part of a composed statement, which is also a statement by itself. */
type Part = Compilable & OperationNodeSource;

/**
 * A statement that a unit can write. `build` depends on nothing but its arguments.
 * - `param`: stands for the values, which each execution brings.
 * - `guard`: holds once the unit has found all that it spends, and has locked the grants that it changes. A part that
 *   has it among its conditions runs after those, whatever the order of the parts.
 */
export interface WriteStatement<V> {
  readonly id: number;
  build(db: QueryCreator<Database>, param: Param<V>, guard: Expression<SqlBool>): Part;
  /** Whether a write with just these values is in the database, where a row shows it. */
  isWritten?(db: Kysely<Database>, values: V): Promise<boolean>;
}

let statements = 0;

/** Defines a statement once, at the top of a module: what is compiled of it is kept for good. */
export const defineWrite = <V extends Values<V>>(
  build: WriteStatement<V>['build'],
  isWritten?: WriteStatement<V>['isWritten'],
): WriteStatement<V> => ({
  id: statements++,
  build,
  ...(isWritten && { isWritten }),
});

/**
 * - `spend`: must match a row, or nothing of the unit happens.
 * - `hold`: an `issue` that changes the grant which the tokens of the unit hang on.
 * - `end`: a `keep` that deletes a grant, and with it all that hangs on it.
 * - `issue`: dropped when the engine answered an error.
 * - `rotate`: an `issue` that another request may have been faster with; it returns its row.
 * - `keep`: always written.
 * - `require`: must match a row, which it locks, or nothing of the unit happens.
 * - `lock`: taken before all else, in the same transaction: a statement does not see what the requests it
 *   waits for have written, the next one does.
 */
export type WriteKind = 'spend' | 'hold' | 'end' | 'issue' | 'rotate' | 'keep' | 'require' | 'lock';

/** A statement with its values, which nobody needs to know the type of any more. */
export interface Write {
  readonly kind: WriteKind;
  /** The same for all writes that are composed of the same text. */
  readonly shape: string;
  build(db: QueryCreator<Database>, prefix: string, guard: Expression<SqlBool>): Part;
  /** Reads the values, by their names; those that are left to the flush are settled now. */
  settle(): (name: string) => unknown;
  isWritten?(db: Kysely<Database>): Promise<boolean>;
}

export const toWrite = <V extends Values<V>>(
  kind: WriteKind,
  { id, build, isWritten }: WriteStatement<V>,
  read: () => V,
): Write => ({
  kind,
  shape: `${kind}${id}`,
  build: (db, prefix, guard) => build(db, paramOf<V>(prefix), guard),
  settle: () => lookUpIn(read()),
  ...(isWritten && { isWritten: (db: Kysely<Database>) => isWritten(db, read()) }),
});
