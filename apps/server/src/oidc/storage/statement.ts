import type { Compilable, CompiledQuery, Kysely, QueryCreator } from 'kysely';
import type { Database } from '../../db/database.ts';

/** What one execution of a statement brings; all else in it is fixed. */
export type Values = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** Stands for the values while a statement is built: each is a symbol that bears its name. */
export const placeholders = <V extends Values>(prefix = ''): V =>
  new Proxy({}, { get: (_, name) => Symbol(`${prefix}${String(name)}`) }) as V;

/** A compiled statement whose parameters are names, where they were placeholders. */
export interface Template {
  query: CompiledQuery;
  parameters: readonly ({ name: string } | { constant: unknown })[];
}

export const toTemplate = (query: CompiledQuery): Template => ({
  query,
  parameters: query.parameters.map((parameter) =>
    typeof parameter === 'symbol' ? { name: parameter.description ?? '' } : { constant: parameter },
  ),
});

/** The statement with its values in the places of their names. */
export const fill = ({ query, parameters }: Template, lookUp: (name: string) => unknown): CompiledQuery => ({
  ...query,
  parameters: parameters.map((parameter) =>
    'name' in parameter ? lookUp(parameter.name) : parameter.constant,
  ),
});

/**
 * A statement that Kysely builds and compiles at its first use; each execution then only brings its values.
 * `build` must depend on nothing else.
 */
export const compileOnce = <V extends Values, Row>(
  build: (db: QueryCreator<Database>, values: V) => Compilable<Row>,
): ((db: Kysely<Database>, values: V) => Promise<Row[]>) => {
  let template: Template | undefined;
  return async (db, values) => {
    template ??= toTemplate(build(db, placeholders<V>()).compile());
    const { rows } = await db.executeQuery(fill(template, (name) => values[name]));
    return rows as Row[];
  };
};
