import type { Connection } from '@candela/server/db/connect';
import type { Database } from '@candela/server/db/database';
import { noteOutage } from '@candela/server/db/outage';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';

/** Where the database is lost: at the n-th statement from now, before the statement ran or before its answer. */
export interface Break {
  statement: number;
  when: 'before' | 'after';
  /** The statements that count; by default the protocol’s statements about grants and their tokens. */
  of?: RegExp;
  /** Runs there instead of a loss; inside a transaction of the embedded database it cannot use the database. */
  meanwhile?: () => Promise<unknown>;
}

/** An error as the driver raises it for a lost connection. */
const connectionLost = () => new Error('Connection terminated unexpectedly');

/** The protocol’s statements, which count by default; other statements are never lost. */
const COUNTED = /"(refresh_token|access_token|authorization_grant)"/;

/** Takes a connection of the database until its release. */
const take = (db: Kysely<Database>) =>
  new Promise<{ connection: DatabaseConnection; giveBack(): void }>((resolve, reject) => {
    db.getExecutor()
      .provideConnection((connection) => new Promise<void>((giveBack) => resolve({ connection, giveBack })))
      .catch(reject);
  });

type Around = (sql: string, run: () => Promise<unknown>) => Promise<unknown>;

/**
 * Runs statements on the database, with `around` around each of them. A connection is taken for each statement or
 * transaction, so that code before and after a statement can use a connection: the embedded database has only one.
 */
const createSender = (db: Kysely<Database>, around: Around) => {
  let held: Awaited<ReturnType<typeof take>> | undefined;
  let inTransaction = false;
  const connection: DatabaseConnection = {
    executeQuery: (query) =>
      around(query.sql, async () => {
        held ??= await take(db);
        const { connection: own, giveBack } = held;
        if (query.sql === 'begin') inTransaction = true;
        if (query.sql === 'commit' || query.sql === 'rollback') inTransaction = false;
        try {
          return await own.executeQuery(query);
        } finally {
          if (!inTransaction) {
            held = undefined;
            giveBack();
          }
        }
      }) as never,
    streamQuery: () => {
      throw new Error('nothing is streamed');
    },
  };
  /** Ends a transaction that nobody ended because the answer to `begin` was lost. */
  const release = async () => {
    if (!held) return;
    await held.connection.executeQuery(CompiledQuery.raw('rollback'));
    held.giveBack();
    held = undefined;
  };
  return Object.assign(connection, { release });
};

const createDriver = (db: Kysely<Database>, around: Around): Driver => {
  const send = (text: string) => async (connection: DatabaseConnection) => {
    await connection.executeQuery(CompiledQuery.raw(text));
  };
  return {
    init: async () => undefined,
    acquireConnection: async () => createSender(db, around),
    beginTransaction: send('begin'),
    commitTransaction: send('commit'),
    rollbackTransaction: send('rollback'),
    releaseConnection: (connection) => (connection as ReturnType<typeof createSender>).release(),
    destroy: async () => undefined,
  };
};

/** A connection that can lose its database at one statement of a request. */
export const createBreakable = (connection: Connection) => {
  let pending: Break | undefined;
  let isAway = false;
  let seen = 0;

  const lose = async () => {
    const error = connectionLost();
    noteOutage(error);
    throw error;
  };

  const around: Around = async (sql, run) => {
    const isRollback = sql === 'rollback';
    if (isAway && !isRollback) await lose();
    const counts = !isRollback && (pending?.of ?? COUNTED).test(sql);
    seen += counts ? 1 : 0;
    const breaks = pending && counts && seen === pending.statement ? pending : undefined;
    const happen = breaks?.meanwhile ?? lose;
    if (breaks) pending = undefined;
    if (breaks?.when === 'before') await happen();
    const result = await run();
    if (breaks?.when === 'after') await happen();
    return result;
  };

  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => createDriver(connection.db, around),
      createIntrospector: (other) => new PostgresIntrospector(other),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });

  return {
    connection: { ...connection, db },
    /** Loses the database at one statement during `work`; returns whether the work reached that statement. */
    during: async <T>(place: Break, work: () => Promise<T>): Promise<{ result: T; broke: boolean }> => {
      seen = 0;
      pending = place;
      const result = await work();
      const broke = pending === undefined;
      pending = undefined;
      return { result, broke };
    },
    /** Loses every statement from now on, or none. */
    setAway: (away: boolean): void => {
      isAway = away;
    },
  };
};
