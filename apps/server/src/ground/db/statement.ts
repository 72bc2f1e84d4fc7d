import {
  type Compilable,
  type CompiledQuery,
  type Kysely,
  type QueryCreator,
  type RawBuilder,
  sql,
} from 'kysely';
import type { Database } from './database.ts';

type Value = string | number | boolean | null | readonly string[];

/** The values of one execution of a statement, by name. */
export type Values<V> = { readonly [Name in keyof V]: Value };

/** Makes the placeholder of a value by its name; each execution brings the value. */
export type Param<V> = <Name extends keyof V & string>(name: Name) => RawBuilder<V[Name]>;

/** A compiled statement. Its parameters are names where a `Param` made them, and constants elsewhere. */
export interface Template<Row> {
  query: CompiledQuery<Row>;
  parameters: readonly ({ part: number; name: string } | { constant: unknown })[];
}

/** @param part keeps the values of statements apart that are composed into one. */
export const paramOf =
  <V>(part = 0): Param<V> =>
  (name) =>
    sql`${Symbol(`${part}.${name}`)}`;

/** Reads what `paramOf` wrote into a symbol. */
const toName = (placeholder: symbol): { part: number; name: string } => {
  const [part = '', name = ''] = (placeholder.description ?? '').split('.');
  return { part: Number(part), name };
};

export const toTemplate = <Row>(query: CompiledQuery<Row>): Template<Row> => ({
  query,
  parameters: query.parameters.map((parameter) =>
    typeof parameter === 'symbol' ? toName(parameter) : { constant: parameter },
  ),
});

/** The statement with each name replaced by its value. @param values of one execution, by the numbers of the parts */
export const fill = <Row>(
  { query, parameters }: Template<Row>,
  values: readonly object[],
): CompiledQuery<Row> => ({
  ...query,
  parameters: parameters.map((parameter) =>
    'name' in parameter ? Reflect.get(values[parameter.part] ?? {}, parameter.name) : parameter.constant,
  ),
});

/**
 * Defines a query that Kysely builds and compiles at its first use; each execution only brings its values.
 * `build` must depend on nothing but its arguments.
 */
export const compileOnce = <V extends Values<V>, Row>(
  build: (db: QueryCreator<Database>, param: Param<V>) => Compilable<Row>,
): ((db: Kysely<Database>, values: V) => Promise<Row[]>) => {
  let template: Template<Row> | undefined;
  return async (db, values) => {
    template ??= toTemplate(build(db, paramOf<V>()).compile());
    const { rows } = await db.executeQuery(fill(template, [values]));
    return rows;
  };
};
