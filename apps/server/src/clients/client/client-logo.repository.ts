import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { ClientLogoRow } from './client-logo.table.ts';

export type DueLogo = Pick<ClientLogoRow, 'client_id' | 'source' | 'failures'>;

export const findLogo = async (db: Kysely<Database>, name: string): Promise<Uint8Array | undefined> => {
  const row = await db.selectFrom('client_logo').select('bytes').where('name', '=', name).executeTakeFirst();
  return row?.bytes ?? undefined;
};

/**
 * Leases logos that are due, the longest due first, to one caller until `until`. A logo whose client names another
 * source by now loses its bytes.
 */
export const lockDueLogos = async (
  db: Kysely<Database>,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<DueLogo[]> => {
  const { rows } = await sql<DueLogo>`
    with due as (
      select client.id, client.metadata->>'logo_uri' as source
      from client left join client_logo as held on held.client_id = client.id
      where client.metadata->>'logo_uri' is not null
        and (held.client_id is null or held.due_at <= ${now}::timestamptz
          or held.source <> client.metadata->>'logo_uri')
      order by held.due_at nulls first, client.id
      limit ${limit}
    )
    insert into client_logo as held (client_id, source, due_at)
    select id, source, ${until}::timestamptz from due
    on conflict (client_id) do update set
      source = excluded.source,
      due_at = excluded.due_at,
      name = case when held.source = excluded.source then held.name end,
      bytes = case when held.source = excluded.source then held.bytes end,
      failures = case when held.source = excluded.source then held.failures else 0 end
    where held.due_at <= ${now}::timestamptz or held.source <> excluded.source
    returning client_id, source, failures`.execute(db);
  return rows;
};

export const updateLogo = async (
  db: Kysely<Database>,
  { client_id, source, ...held }: Pick<ClientLogoRow, 'client_id' | 'source' | 'name' | 'bytes' | 'due_at'>,
): Promise<void> => {
  await db
    .updateTable('client_logo')
    .set({ ...held, failures: 0 })
    .where('client_id', '=', client_id)
    .where('source', '=', source)
    .execute();
};

/** Notes a failed download. The stored logo stays: yesterday's logo is better than none. */
export const updateLogoFailure = async (
  db: Kysely<Database>,
  { client_id, source }: DueLogo,
  dueAt: Date,
): Promise<void> => {
  await db
    .updateTable('client_logo')
    .set({ failures: sql`failures + 1`, due_at: dueAt })
    .where('client_id', '=', client_id)
    .where('source', '=', source)
    .execute();
};

/** Deletes logos of clients that name none any more. */
export const deleteUnnamedLogos = async (db: Kysely<Database>): Promise<void> => {
  await sql`
    delete from client_logo using client
    where client.id = client_logo.client_id and client.metadata->>'logo_uri' is null`.execute(db);
};
