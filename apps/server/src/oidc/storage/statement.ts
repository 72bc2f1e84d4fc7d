import {
  type Compilable,
  type CompiledQuery,
  type Kysely,
  type QueryCreator,
  type RawBuilder,
  sql,
} from 'kysely';
import type { Database } from '../../db/database.ts';

type Value = string | number | boolean | null | readonly string[];

/** What one execution of a statement brings; all else in the statement is fixed. */
export type Values<V> = { readonly [Name in keyof V]: Value };

/** Stands in a statement for the value of that name, which each execution brings. */
export type Param<V> = <Name extends keyof V & string>(name: Name) => RawBuilder<V[Name]>;

/** A compiled statement: its parameters are names where `param` made them, constants elsewhere. */
export interface Template<Row> {
  query: CompiledQuery<Row>;
  parameters: readonly ({ name: string } | { constant: unknown })[];
}

/** @param prefix tells the values of several statements apart that are composed into one. */
export const paramOf =
  <V>(prefix = ''): Param<V> =>
  (name) =>
    sql`${Symbol(`${prefix}${name}`)}`;

export const toTemplate = <Row>(query: CompiledQuery<Row>): Template<Row> => ({
  query,
  parameters: query.parameters.map((parameter) =>
    typeof parameter === 'symbol' ? { name: parameter.description ?? '' } : { constant: parameter },
  ),
});

/** The statement with its values in the places of their names. */
export const fill = <Row>(
  { query, parameters }: Template<Row>,
  lookUp: (name: string) => unknown,
): CompiledQuery<Row> => ({
  ...query,
  parameters: parameters.map((parameter) =>
    'name' in parameter ? lookUp(parameter.name) : parameter.constant,
  ),
});

/** Reads the values of one execution by their names. */
export const lookUpIn =
  (values: object) =>
  (name: string): unknown =>
    Reflect.get(values, name);

/**
 * A statement that Kysely builds and compiles at its first use; each execution then only brings its values.
 * `build` must depend on nothing else.
 */
export const compileOnce = <V extends Values<V>, Row>(
  build: (db: QueryCreator<Database>, param: Param<V>) => Compilable<Row>,
): ((db: Kysely<Database>, values: V) => Promise<Row[]>) => {
  let template: Template<Row> | undefined;
  return async (db, values) => {
    template ??= toTemplate(build(db, paramOf<V>()).compile());
    const { rows } = await db.executeQuery(fill(template, lookUpIn(values)));
    return rows;
  };
};
