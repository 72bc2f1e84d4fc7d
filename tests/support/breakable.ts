import type { Connection } from '@candela/server/db/connect';

/** Where the database is lost: at the n-th statement from now, before it ran or with its answer. */
export interface Break {
  statement: number;
  when: 'before' | 'after';
  /** The statements that count; where it is left out those of the protocol about grants and their tokens. */
  of?: RegExp;
  /** What happens there instead of a loss. */
  meanwhile?: () => Promise<unknown>;
}

/** As the driver says it of a connection that is gone. */
const connectionLost = () => new Error('Connection terminated unexpectedly');

/** Whatever else a server does goes on. */
const COUNTED = /"(refresh_token|access_token|authorization_grant)"/;

/** A connection whose database can be lost at one statement of a token request. */
export const createBreakable = (connection: Connection) => {
  const { db } = connection;
  let pending: Break | undefined;
  let seen = 0;

  const executeQuery: typeof db.executeQuery = async (query, ...rest) => {
    const { sql } = 'sql' in query ? query : query.compile();
    const counts = (pending?.of ?? COUNTED).test(sql);
    seen += counts ? 1 : 0;
    const breaks = pending && counts && seen === pending.statement ? pending : undefined;
    const happen = breaks?.meanwhile ?? (() => Promise.reject(connectionLost()));
    if (breaks) pending = undefined;
    if (breaks?.when === 'before') await happen();
    const result = await db.executeQuery(query, ...rest);
    if (breaks?.when === 'after') await happen();
    return result as never;
  };

  const breaking = new Proxy(db, {
    get: (target, name) => {
      if (name === 'executeQuery') return executeQuery;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

  return {
    connection: { ...connection, db: breaking },
    /** Loses the database at one statement during `work`; tells whether the work got that far. */
    during: async <T>(place: Break, work: () => Promise<T>): Promise<{ result: T; broke: boolean }> => {
      seen = 0;
      pending = place;
      const result = await work();
      const broke = pending === undefined;
      pending = undefined;
      return { result, broke };
    },
  };
};
