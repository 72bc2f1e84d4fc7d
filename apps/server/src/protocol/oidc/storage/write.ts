import type {
  Compilable,
  Expression,
  Kysely,
  OperationNodeSource,
  QueryCreator,
  RawBuilder,
  SqlBool,
} from 'kysely';
import type { Database } from '../../../ground/db/database.ts';
import { type Param, paramOf, type Values } from '../../../ground/db/statement.ts';

/** A statement, which can be a part of a composed one. */
type Part = Compilable & OperationNodeSource;

/**
 * A statement that a unit can write. `build` depends on nothing but its arguments:
 * - `param` makes the placeholders of the values, which each execution brings;
 * - `guard` is true once the unit has spent all that it spends and locked the grants that it changes. A statement with
 *   this condition runs after those, whatever the order of the parts.
 */
export interface WriteStatement<V> {
  readonly id: number;
  build(db: QueryCreator<Database>, param: Param<V>, guard: Expression<SqlBool>): Part;
  /**
   * Statements that follow from the rows which this one returns, of a relation of that name: parts of the same statement.
   * They write nothing where this one returns no row.
   */
  follow?(db: QueryCreator<Database>, param: Param<V>, returned: RawBuilder<unknown>): readonly Part[];
  /** Whether a row shows that a write with these values happened. */
  isWritten?(db: Kysely<Database>, values: V): Promise<boolean>;
}

let statements = 0;

/** Defines a statement. Call it at the top of a module: what is compiled of the statement is kept for good. */
export const defineWrite = <V extends Values<V>>(
  build: WriteStatement<V>['build'],
  more: Pick<WriteStatement<V>, 'follow' | 'isWritten'> = {},
): WriteStatement<V> => ({ id: statements++, build, ...more });

/**
 * - `keep`: always written.
 * - `end`: a `keep` that deletes a grant, and with it all that hangs on the grant.
 * - `issue`: not written where the engine answered an error.
 * - `hold`: an `issue` that changes the grant of the unit's tokens. It returns `as_read`: whether the grant allows what the
 *   request read; otherwise nothing of the unit is written.
 * - `rotate`: an `issue` that returns its row, unless another request made the row first.
 * - `renew`: a `keep` of a session. It returns `renewed`: whether the session has the id that the request knows.
 * - `spend`: must match a row; otherwise nothing of the unit is written.
 * - `require`: locks a row before all else, in the same transaction; without the row nothing of the unit is written.
 * - `lock`: locks a row before all else, in the same transaction. A statement does not see what the requests it waits
 *   for have written; the statement after it does.
 */
export type WriteKind = 'spend' | 'hold' | 'end' | 'issue' | 'rotate' | 'keep' | 'renew' | 'require' | 'lock';

/** A statement bound to its values, whose type matters no more. */
export interface Write {
  readonly kind: WriteKind;
  /** The same for all writes of the same kind and text. */
  readonly shape: string;
  /** @param part is the number by which the values are found once the statement is compiled. */
  build(db: QueryCreator<Database>, part: number, guard: Expression<SqlBool>): Part;
  follow?(db: QueryCreator<Database>, part: number, returned: RawBuilder<unknown>): readonly Part[];
  /** Reads the values, by name, now. */
  settle(): object;
  isWritten?(db: Kysely<Database>): Promise<boolean>;
}

export const toWrite = <V extends Values<V>>(
  kind: WriteKind,
  { id, build, follow, isWritten }: WriteStatement<V>,
  read: () => V,
): Write => ({
  kind,
  shape: `${kind}${id}`,
  build: (db, part, guard) => build(db, paramOf<V>(part), guard),
  ...(follow && { follow: (db, part, returned) => follow(db, paramOf<V>(part), returned) }),
  settle: read,
  ...(isWritten && { isWritten: (db: Kysely<Database>) => isWritten(db, read()) }),
});
