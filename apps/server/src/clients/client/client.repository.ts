import type { ClientSource } from '@candela/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { secondsFromNow } from '../../ground/db/sql-time.ts';
import { cursorAt, isAfter, type PageChoice } from '../../ground/paging/page-cursor.ts';
import { STAND_IN, STAND_IN_SECONDS } from '../../person/stand-in/stand-in.ts';
import { type ClientRow, clientColumns } from './client.table.ts';
import type { ClientMemberRow } from './client-member.table.ts';
import type { Holder } from './holder.ts';

/** A secret of a client, as its client is read with it. */
export interface StoredSecret {
  hash: string;
  /** Seconds since 1970; null: it does not end. */
  endsAt: number | null;
}

/** What one look-up of a client reads. */
export interface FoundClient extends ClientRow {
  /** The name of the stored logo that its `logo_uri` led to. */
  logo: string | null;
  /** The one that works longest first. */
  secrets: StoredSecret[];
  has_members: boolean;
  /** When a client ends that registered itself; null: it does not. */
  ends_at: Date | null;
}

const secretsOfClient = sql<StoredSecret[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('hash', hash, 'endsAt', extract(epoch from expires_at))
    order by expires_at desc nulls first), '[]')
  from client_secret where client_id = client.id)`;

export const findClient = (db: Kysely<Database>, id: string): Promise<FoundClient | undefined> =>
  db
    .selectFrom('client')
    .leftJoin('client_logo', (join) =>
      join
        .onRef('client_logo.client_id', '=', 'client.id')
        .on('client_logo.source', '=', sql<string>`client.metadata->>'logo_uri'`),
    )
    .leftJoin('dynamic_client', 'dynamic_client.client_id', 'client.id')
    .select(clientColumns.map((column) => `client.${column}` as const))
    .select([
      'client_logo.name as logo',
      'dynamic_client.ends_at',
      secretsOfClient.as('secrets'),
      sql<boolean>`exists (select from client_member where client_id = client.id)`.as('has_members'),
    ])
    .where('client.id', '=', id)
    .executeTakeFirst();

/** Whether a row is a registration: a stand-in of a link check is none. */
const isRegistered = sql<boolean>`not starts_with(client.id, ${sql.lit(STAND_IN)})`;

export const listClients = (db: Kysely<Database>): Promise<ClientRow[]> =>
  db.selectFrom('client').select(clientColumns).where(isRegistered).orderBy('id').execute();

export interface HeldClient extends ClientRow {
  logo: string | null;
  role: ClientMemberRow['role'];
  /** Since when the holder is a member; null of what a machine made, and of all. */
  member_since: Date | null;
  cursor_at: string;
}

/** The clients of the holder, or all, the newest first. */
export const listHeldClients = (
  db: Kysely<Database>,
  holder: Holder | undefined,
  { limit, after, source }: PageChoice & { source?: ClientSource | undefined },
): Promise<HeldClient[]> => {
  const accountId = holder && 'accountId' in holder ? holder.accountId : undefined;
  const machineId = holder && 'machineId' in holder ? holder.machineId : undefined;
  return db
    .selectFrom('client')
    .leftJoin('client_logo', (join) =>
      join
        .onRef('client_logo.client_id', '=', 'client.id')
        .on('client_logo.source', '=', sql<string>`client.metadata->>'logo_uri'`),
    )
    .leftJoin('client_member', (join) =>
      join
        .onRef('client_member.client_id', '=', 'client.id')
        .on('client_member.account_id', '=', accountId ?? null),
    )
    .select(clientColumns.map((column) => `client.${column}` as const))
    .select([
      'client_logo.name as logo',
      sql<ClientMemberRow['role']>`coalesce(client_member.role, 'owner')`.as('role'),
      'client_member.added_at as member_since',
      cursorAt.as('cursor_at'),
    ])
    .where(isRegistered)
    .$if(accountId !== undefined, (query) => query.where('client_member.account_id', 'is not', null))
    .$if(machineId !== undefined, (query) => query.where('made_by', '=', machineId ?? null))
    .$if(source !== undefined, (query) => query.where('client.source', '=', source ?? 'operator'))
    .$if(after !== undefined, (query) => query.where(isAfter('id', after ?? { createdAt: '', id: '' })))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
};

/** How many clients an account owns, or a machine made. */
export const countHeldClients = async (db: Kysely<Database>, holder: Holder): Promise<number> => {
  const count = sql<number>`count(*)::int`.as('count');
  const found =
    'accountId' in holder
      ? await db
          .selectFrom('client_member')
          .select(count)
          .where('account_id', '=', holder.accountId)
          .where('role', '=', 'owner')
          .executeTakeFirstOrThrow()
      : await db
          .selectFrom('client')
          .select(count)
          .where('made_by', '=', holder.machineId)
          .executeTakeFirstOrThrow();
  return found.count;
};

/** The names of the clients that people trust: the brand's own, and those that it has verified. */
export const listTrustedNames = async (
  db: Kysely<Database>,
): Promise<{ id: string; name: string | null }[]> =>
  db
    .selectFrom('client')
    .select(['id', sql<string | null>`metadata->>'client_name'`.as('name')])
    .where(isRegistered)
    .where(sql<boolean>`(first_party or metadata->>'verified' = 'true')`)
    .execute();

/** The registered clients among `ids`. */
export const listClientsOf = async (db: Kysely<Database>, ids: readonly string[]): Promise<ClientRow[]> =>
  ids.length === 0 ? [] : db.selectFrom('client').select(clientColumns).where('id', 'in', ids).execute();

/** As `listClientsOf`. Nobody changes these clients meanwhile; others may hold them so too. */
export const shareClients = async (db: Kysely<Database>, ids: readonly string[]): Promise<ClientRow[]> =>
  db
    .selectFrom('client')
    .select(clientColumns)
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .orderBy('id')
    .forShare()
    .execute();

/** As `listClientsOf`. Locks the rows, in the order of their ids: nobody else changes these clients meanwhile. */
export const lockClients = async (db: Kysely<Database>, ids: readonly string[]): Promise<ClientRow[]> =>
  ids.length === 0
    ? []
    : db
        .selectFrom('client')
        .select(clientColumns)
        .where('id', 'in', ids)
        .orderBy('id')
        .forUpdate()
        .execute();

/** Locks the row of a client; undefined where no client has the id. */
export const lockClient = async (db: Kysely<Database>, id: string): Promise<ClientRow | undefined> =>
  (await lockClients(db, [id]))[0];

export interface ClientValues {
  id: string;
  brand: string | null;
  /** Without secrets. */
  metadata: Record<string, unknown>;
  firstParty: boolean;
  /** What an operator vouches for, by the fingerprint of the client; undefined: that stays as it is. */
  approvedFingerprint?: string | null | undefined;
}

export interface NewClient extends ClientValues {
  source: ClientSource;
  /** The id of the machine that makes it. */
  madeBy?: string | undefined;
}

/** False where the id is taken, by a client that another transaction may have inserted meanwhile. */
export const insertClient = async (
  db: Kysely<Database>,
  { id, brand, metadata, firstParty, approvedFingerprint, source, madeBy }: NewClient,
): Promise<boolean> => {
  const inserted = await db
    .insertInto('client')
    .values({
      id,
      brand,
      metadata: JSON.stringify(metadata),
      first_party: firstParty,
      approved_fingerprint: approvedFingerprint ?? null,
      source,
      made_by: madeBy ?? null,
      updated_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
};

/** The caller holds the row. */
export const updateClient = async (
  db: Kysely<Database>,
  { id, brand, metadata, firstParty, approvedFingerprint }: ClientValues,
): Promise<void> => {
  await db
    .updateTable('client')
    .set({
      brand,
      metadata: JSON.stringify(metadata),
      first_party: firstParty,
      ...(approvedFingerprint !== undefined && { approved_fingerprint: approvedFingerprint }),
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute();
};

export const updateClientSource = async (
  db: Kysely<Database>,
  id: string,
  source: ClientSource,
): Promise<void> => {
  await db.updateTable('client').set({ source, updated_at: sql<Date>`now()` }).where('id', '=', id).execute();
};

export const updateClientDisabled = async (
  db: Kysely<Database>,
  id: string,
  disabled: boolean,
): Promise<void> => {
  await db
    .updateTable('client')
    .set({ disabled, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
};

/** Deletes the row of a client. The database deletes its secrets, members, logo and records with it. */
export const deleteClientRow = async (db: Kysely<Database>, id: string): Promise<void> => {
  await db.deleteFrom('client').where('id', '=', id).execute();
};

/** The ids of stand-ins whose link checks are over, or were killed. */
export const listLeftStandIns = async (db: Kysely<Database>): Promise<string[]> => {
  const rows = await db
    .selectFrom('client')
    .select('id')
    .where(sql<boolean>`starts_with(id, ${sql.lit(STAND_IN)})`)
    .where('created_at', '<', secondsFromNow(-STAND_IN_SECONDS))
    .execute();
  return rows.map(({ id }) => id);
};

/** The ids of clients that were deleted within the last hour, and were not registered anew. */
export const listDeletedClients = async (db: Kysely<Database>): Promise<string[]> => {
  const rows = await db
    .selectFrom('client_change')
    .select('client_id')
    .distinct()
    .where('action', '=', 'deleted')
    .where('at', '>', secondsFromNow(-3_600))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('client').select('id').whereRef('client.id', '=', 'client_change.client_id'))),
    )
    .execute();
  return rows.map((row) => row.client_id);
};

/** The clients of that id or name, whatever the case of its letters; at most `limit`. */
export const listClientsNamed = (
  db: Kysely<Database>,
  named: string,
  limit: number,
): Promise<Pick<ClientRow, 'id' | 'metadata' | 'disabled'>[]> =>
  db
    .selectFrom('client')
    .select(['id', 'metadata', 'disabled'])
    .where((where) =>
      where.or([
        where('id', '=', named),
        where(sql`lower(metadata->>'client_name')`, '=', named.toLowerCase()),
      ]),
    )
    .limit(limit)
    .execute();
