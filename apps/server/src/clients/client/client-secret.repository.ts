import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { ClientSecretRow } from './client-secret.table.ts';

/** The name of the secret that a client was registered with; a file of clients names no other. */
export const REGISTERED = 'registered';

const columns = [
  'client_id',
  'name',
  'hash',
  'created_at',
  'expires_at',
  'last_used_at',
] as const satisfies readonly (keyof ClientSecretRow)[];

/** The secrets of these clients, the oldest of each first. */
export const listSecretsOf = async (
  db: Kysely<Database>,
  clientIds: readonly string[],
): Promise<ClientSecretRow[]> =>
  clientIds.length === 0
    ? []
    : db
        .selectFrom('client_secret')
        .select(columns)
        .where('client_id', 'in', clientIds)
        .orderBy('client_id')
        .orderBy('created_at')
        .orderBy('name')
        .execute();

export interface NewSecret {
  clientId: string;
  name: string;
  hash: string;
  expiresAt?: Date | undefined;
}

/** The caller holds the row of the client. */
export const insertSecret = async (
  db: Kysely<Database>,
  { clientId, name, hash, expiresAt }: NewSecret,
): Promise<void> => {
  await db
    .insertInto('client_secret')
    .values({ client_id: clientId, name, hash, expires_at: expiresAt ?? null })
    .execute();
};

/** Inserts a secret or replaces the one of that name. */
export const upsertSecret = async (
  db: Kysely<Database>,
  { clientId, name, hash }: Omit<NewSecret, 'expiresAt'>,
): Promise<void> => {
  const changing = { hash, created_at: sql<Date>`now()`, expires_at: null, last_used_at: null };
  await db
    .insertInto('client_secret')
    .values({ client_id: clientId, name, ...changing })
    .onConflict((conflict) => conflict.columns(['client_id', 'name']).doUpdateSet(changing))
    .execute();
};

/** Deletes the secret of that name, or all of them; answers the names of those that were there. */
export const deleteSecrets = async (
  db: Kysely<Database>,
  clientId: string,
  name?: string,
): Promise<string[]> => {
  const rows = await db
    .deleteFrom('client_secret')
    .where('client_id', '=', clientId)
    .$if(name !== undefined, (query) => query.where('name', '=', name ?? ''))
    .returning('name')
    .execute();
  return rows.map((row) => row.name);
};

/** A secret that was used. The hash tells it from a later one of its name. */
export interface SecretUse {
  clientId: string;
  hash: string;
}

/** Notes, to the hour, when secrets were last used. One statement; secrets that are gone are left out. */
export const updateSecretUses = async (
  db: Kysely<Database>,
  uses: readonly SecretUse[],
  at: Date,
): Promise<void> => {
  const hour = sql<Date>`date_trunc('hour', ${at}::timestamptz)`;
  await sql`
    update client_secret set last_used_at = ${hour}
    from (select unnest(${uses.map(({ clientId }) => clientId)}::text[]) as client_id,
      unnest(${uses.map(({ hash }) => hash)}::text[]) as hash) as used
    where client_secret.client_id = used.client_id and client_secret.hash = used.hash
      and client_secret.last_used_at is distinct from ${hour}`.execute(db);
};
