import { migrations } from '@candela/migrations';
import {
  AddColumnNode,
  AlterTableNode,
  CreateTableNode,
  DummyDriver,
  Kysely,
  type KyselyPlugin,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  RawNode,
  type RootOperationNode,
} from 'kysely';

/** What migrations make in a schema. */
export interface OwnTables {
  /** The names of columns by the name of their table. */
  tables: ReadonlyMap<string, ReadonlySet<string>>;
  /** The names of functions. */
  functions: ReadonlySet<string>;
  /** Whether these are all: a newer release applied no migration of its own. */
  isWhole: boolean;
}

const FUNCTION = /^\s*create (?:or replace )?function (\w+)/;
const RAW_COLUMN = /^\s*alter table (\w+) add column (\w+) /;

/** The tables in which Kysely notes the migrations. */
const OF_KYSELY = ['kysely_migration', 'kysely_migration_lock'];

const textOf = (node: RootOperationNode): string => (RawNode.is(node) ? (node.sqlFragments[0] ?? '') : '');

/** The columns that a statement of a migration makes. */
const madeBy = (node: RootOperationNode): { table: string; columns: readonly string[] } | undefined => {
  if (CreateTableNode.is(node))
    return {
      table: node.table.table.identifier.name,
      columns: node.columns.map(({ column }) => column.column.name),
    };
  if (AlterTableNode.is(node))
    return {
      table: node.table.table.identifier.name,
      columns: (node.columnAlterations ?? [])
        .filter(AddColumnNode.is)
        .map(({ column }) => column.column.column.name),
    };
  const [, table, column] = RAW_COLUMN.exec(textOf(node)) ?? [];
  return table && column ? { table, columns: [column] } : undefined;
};

/**
 * What is Candela's in a schema: what its migrations say that they make. They run without a database, so that no list
 * beside them can be forgotten, and what somebody else keeps in the same schema is told apart.
 * @param applied names of the migrations that the schema has; those of a newer release are passed over
 */
export const findOwnTables = async (applied: readonly string[]): Promise<OwnTables> => {
  const tables = new Map<string, Set<string>>(OF_KYSELY.map((name) => [name, new Set()]));
  const functions = new Set<string>();
  const reading: KyselyPlugin = {
    transformQuery: ({ node }) => {
      const { table, columns } = madeBy(node) ?? {};
      if (table) tables.set(table, new Set([...(tables.get(table) ?? []), ...(columns ?? [])]));
      const [, made] = FUNCTION.exec(textOf(node)) ?? [];
      if (made) functions.add(made);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const nowhere = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    plugins: [reading],
  });
  for (const [name, { up }] of Object.entries(migrations)) if (applied.includes(name)) await up(nowhere);
  return { tables, functions, isWhole: applied.every((name) => name in migrations) };
};

/** Tells whether a table, or a column of it, is Candela's. */
export type IsOwn = (table: string, column?: string) => boolean;

/** Tells what is Candela's. After a rollback what a newer release made looks like that of somebody else: all is taken. */
export const isOwnIn =
  ({ tables, isWhole }: OwnTables): IsOwn =>
  (table, column) =>
    !isWhole || (column === undefined ? tables.has(table) : (tables.get(table)?.has(column) ?? false));
