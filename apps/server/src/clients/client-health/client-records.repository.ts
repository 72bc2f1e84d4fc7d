import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { clientErrorColumns } from './client-error.table.ts';
import type { CountedKind } from './counted-kind.ts';
import type { RefusedRequest } from './refused-request.ts';

/** How many refused requests of one client are kept, and how many of one kind: one fault repeated hides no other. */
const KEPT = 200;
const KEPT_OF_KIND = 50;

export interface ClientCount {
  clientId: string;
  kind: CountedKind;
  count: number;
}

/**
 * The clients of the rows that are registered. Locked, and in the order in which registrations lock theirs: no row is
 * left behind when a client is deleted meanwhile.
 */
const known = (ids: readonly string[]) =>
  sql`select id from client where id = any(cast(${[...new Set(ids)]} as text[])) order by id for key share`;

/** Adds to the counts of today. Rows are written in one order, so that processes wait for each other in it. */
export const addCounts = async (db: Kysely<Database>, counts: readonly ClientCount[]): Promise<void> => {
  await sql`
    with known as (${known(counts.map(({ clientId }) => clientId))})
    insert into client_day (client_id, day, kind, count)
    select known.id, cast(now() at time zone 'utc' as date), added.kind, added.count
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as added("clientId" text, kind text, count integer)
    join known on known.id = added."clientId"
    order by known.id, added.kind
    on conflict (client_id, day, kind) do update
    set count = client_day.count + excluded.count, last_at = excluded.last_at
  `.execute(db);
};

/** Adds refused requests of registered clients; those of others are left out. */
export const insertErrors = async (
  db: Kysely<Database>,
  refused: readonly RefusedRequest[],
): Promise<void> => {
  const rows = refused.map(({ clientId, at, ...rest }) => ({ client_id: clientId, created_at: at, ...rest }));
  await sql`
    with known as (${known(refused.map(({ clientId }) => clientId))})
    insert into client_error (${sql.join(clientErrorColumns.map((column) => sql.ref(column)))})
    select ${sql.join(clientErrorColumns.map((column) => sql.ref(`added.${column}`)))}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as added(
      client_id text, reference text, created_at timestamptz, endpoint text, kind text, error text, reason text,
      sent jsonb, expected jsonb)
    join known on known.id = added.client_id
    order by added.client_id
    on conflict do nothing
  `.execute(db);
};

/** Deletes what these clients have beyond the bounds, the oldest first. */
export const deleteSurplusErrors = async (db: Kysely<Database>, ids: readonly string[]): Promise<void> => {
  await sql`
    delete from client_error where (client_id, reference) in (
      select client_id, reference from (
        select client_id, reference,
          row_number() over (partition by client_id order by created_at desc, reference) as place,
          row_number() over (partition by client_id, kind order by created_at desc, reference) as place_of_kind
        from client_error where client_id = any(cast(${[...new Set(ids)]} as text[]))
      ) as placed
      where place > ${sql.lit(KEPT)} or place_of_kind > ${sql.lit(KEPT_OF_KIND)}
    )`.execute(db);
};
