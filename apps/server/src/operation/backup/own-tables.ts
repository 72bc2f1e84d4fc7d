import { migrations } from '@candela/migrations';
import {
  CreateTableNode,
  DummyDriver,
  Kysely,
  type KyselyPlugin,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  RawNode,
} from 'kysely';

/** The names of what migrations make in a schema. */
export interface OwnTables {
  tables: ReadonlySet<string>;
  functions: ReadonlySet<string>;
  /** Whether these are all: a newer release applied no migration of its own. */
  isWhole: boolean;
}

const FUNCTION = /^\s*create (?:or replace )?function (\w+)/;

/** The tables in which Kysely notes the migrations. */
const OF_KYSELY = ['kysely_migration', 'kysely_migration_lock'];

/**
 * What is Candela's in a schema: what its migrations say that they make. They run without a database, so that no list
 * beside them can be forgotten, and what somebody else keeps in the same schema is told apart.
 * @param applied names of the migrations that the schema has; those of a newer release are passed over
 */
export const findOwnTables = async (applied: readonly string[]): Promise<OwnTables> => {
  const tables = new Set<string>(OF_KYSELY);
  const functions = new Set<string>();
  const reading: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (CreateTableNode.is(node)) tables.add(node.table.table.identifier.name);
      const made = RawNode.is(node) && FUNCTION.exec(node.sqlFragments[0] ?? '');
      if (made) functions.add(made[1] ?? '');
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
