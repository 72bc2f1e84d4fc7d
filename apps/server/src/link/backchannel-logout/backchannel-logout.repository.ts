import { type Kysely, type QueryCreator, type SqlBool, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { databaseTime, secondsFromNow } from '../../ground/db/sql-time.ts';
import type { SessionsOfBrand } from '../../person/session/session-key.ts';

/** No logout is sent for a session that ended longer ago. */
const LIFETIME_SECONDS = 86_400;

/**
 * The statement that queues a logout for each client that was signed in to from these sessions and has a
 * `backchannel_logout_uri`. It is executed while the rows of the sessions are locked and still there, in the
 * transaction that deletes them.
 */
export const logoutsOfSessions = (db: QueryCreator<Database>, { brand, uids }: SessionsOfBrand) =>
  db
    .insertInto('backchannel_logout')
    .columns(['brand', 'client_id', 'account_id', 'sid', 'expires_at'])
    .expression((query) =>
      query
        .selectFrom('session')
        .innerJoinLateral(
          sql<{ key: string; value: unknown }>`jsonb_each(session.payload -> 'authorizations')`.as(
            'signed_in',
          ),
          (join) => join.onTrue(),
        )
        .innerJoin('client', 'client.id', 'signed_in.key')
        .select([
          'session.brand',
          'client.id',
          sql<string>`session.account_id`.as('account_id'),
          sql<string>`signed_in.value ->> 'sid'`.as('sid'),
          sql<Date>`now() + make_interval(secs => ${sql.lit(LIFETIME_SECONDS)})`.as('expires_at'),
        ])
        .where('session.brand', '=', brand)
        .where(sql<SqlBool>`session.uid = any(${uids})`)
        .where('session.account_id', 'is not', null)
        .where(sql<SqlBool>`signed_in.value ->> 'sid' is not null`)
        .where(sql<SqlBool>`client.metadata ->> 'backchannel_logout_uri' is not null`)
        .where(sql<SqlBool>`coalesce(client.brand, session.brand) = session.brand`),
    );

/** A logout that this process may send, until its lease ends. */
export interface LeasedLogout {
  id: string;
  brand: string;
  client_id: string;
  account_id: string;
  sid: string;
  /** This try included. */
  attempts: number;
}

/** How many due logouts are looked at for their clients: a long backlog of one client must not cost more. */
const LOOKED_AT = 1_000;

export interface LogoutLease {
  limit: number;
  perClient: number;
  /** Clients of which enough is under way. */
  except: readonly string[];
  leaseSeconds: number;
}

/** Leases due logouts to this process: a few of each client, and none that another process holds. */
export const updateDueLogouts = async (
  db: Kysely<Database>,
  { limit, perClient, except, leaseSeconds }: LogoutLease,
): Promise<LeasedLogout[]> => {
  const { rows } = await sql<LeasedLogout>`
    update backchannel_logout set attempts = attempts + 1, due_at = ${secondsFromNow(leaseSeconds)}
    where id = any(array(
      select due.id
      from (
        select client_id, min(due_at) as since
        from (
          select client_id, due_at from backchannel_logout
          where due_at <= now() and expires_at > now() and client_id <> all(cast(${except} as text[]))
          order by due_at
          limit ${sql.lit(LOOKED_AT)}
        ) as oldest
        group by client_id
        order by since
        limit ${sql.lit(limit)}
      ) as waiting
      cross join lateral (
        select id from backchannel_logout
        where client_id = waiting.client_id and due_at <= now() and expires_at > now()
        order by due_at
        limit ${sql.lit(perClient)}
        for update skip locked
      ) as due
      order by waiting.since
      limit ${sql.lit(limit)}
    ))
    returning id, brand, client_id, account_id, sid, attempts`.execute(db);
  return rows;
};

type Held = Pick<LeasedLogout, 'id' | 'attempts'>;

/** The next try may begin after a pause, in whichever process comes first. */
export const updateLogoutDue = async (
  db: Kysely<Database>,
  { id, attempts }: Held,
  inSeconds: number,
): Promise<void> => {
  await db
    .updateTable('backchannel_logout')
    .set({ due_at: secondsFromNow(inSeconds) })
    .where('id', '=', id)
    // Another count means that the lease had run out and another process has leased the logout.
    .where('attempts', '=', attempts)
    .execute();
};

/** Gives a lease back as if there had been no try; the next one may begin in `inSeconds`. */
export const updateLogoutUntried = async (
  db: Kysely<Database>,
  { id, attempts }: Held,
  inSeconds = 0,
): Promise<void> => {
  await db
    .updateTable('backchannel_logout')
    .set({ due_at: secondsFromNow(inSeconds), attempts: attempts - 1 })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();
};

export const deleteLogout = async (db: Kysely<Database>, id: string): Promise<void> => {
  await db.deleteFrom('backchannel_logout').where('id', '=', id).execute();
};

/** Deletes the logouts that are too old to be sent, and answers how many. */
export const deleteExpiredLogouts = async (db: Kysely<Database>): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('backchannel_logout')
    .where('expires_at', '<=', databaseTime)
    .executeTakeFirst();
  return Number(numDeletedRows);
};
