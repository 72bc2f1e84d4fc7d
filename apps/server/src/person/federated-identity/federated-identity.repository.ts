import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { type FederatedIdentityRow, federatedIdentityColumns } from './federated-identity.table.ts';

/** The ways in of an account through identity providers, newest first. */
export const listFederatedIdentities = (
  db: Kysely<Database>,
  accountId: string,
): Promise<FederatedIdentityRow[]> =>
  db
    .selectFrom('federated_identity')
    .select(federatedIdentityColumns)
    .where('account_id', '=', accountId)
    .orderBy('linked_at', 'desc')
    .orderBy('id')
    .execute();

export type SubjectAt = Pick<FederatedIdentityRow, 'brand' | 'provider' | 'subject'>;

/** A way in, with what a sign-in needs to know of its account. */
export interface OpeningIdentity extends FederatedIdentityRow {
  status: string;
  /** The account's session epoch. */
  epoch: number;
}

/** The way in of whom a provider calls so at a brand. */
export const findFederatedIdentity = (
  db: Kysely<Database>,
  { brand, provider, subject }: SubjectAt,
): Promise<OpeningIdentity | undefined> =>
  db
    .selectFrom('federated_identity')
    .innerJoin('account', 'account.id', 'federated_identity.account_id')
    .select(federatedIdentityColumns.map((column) => `federated_identity.${column}` as const))
    .select(['account.status', 'account.session_epoch as epoch'])
    .where('brand', '=', brand)
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst();

/**
 * False where the subject is known already, or the account has a way in through the provider. It waits for another
 * transaction that inserts the same.
 */
export const insertFederatedIdentity = async (
  db: Kysely<Database>,
  row: FederatedIdentityRow,
): Promise<boolean> => {
  const inserted = await db
    .insertInto('federated_identity')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
};

/**
 * Notes a use, and what the provider told; an address that is undefined stays. False where the way in is gone or closed.
 */
export const updateFederatedIdentityUse = async (
  db: Kysely<Database>,
  {
    id,
    email,
    refresh_token_sealed,
  }: Pick<FederatedIdentityRow, 'id' | 'refresh_token_sealed'> & {
    email: FederatedIdentityRow['email'] | undefined;
  },
  now: Date,
): Promise<boolean> => {
  const used = await db
    .updateTable('federated_identity')
    .set({
      email,
      last_used_at: now,
      refresh_token_sealed: sql`coalesce(${refresh_token_sealed}, refresh_token_sealed)`,
    })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
};

type Own = Pick<FederatedIdentityRow, 'id' | 'account_id'>;

/** Changes a way in that is closed, or is not; false where it is otherwise, or gone. */
const changeWhere = async (
  db: Kysely<Database>,
  { id, account_id, isClosed }: Own & { isClosed: boolean },
  values: Partial<Pick<FederatedIdentityRow, 'closed_at' | 'linked_at' | 'email' | 'refresh_token_sealed'>>,
): Promise<boolean> => {
  const changed = await db
    .updateTable('federated_identity')
    .set(values)
    .where('id', '=', id)
    .where('account_id', '=', account_id)
    .where('closed_at', isClosed ? 'is not' : 'is', null)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
};

/** Closes a way in; false where it is closed, or gone. */
export const closeFederatedIdentity = (db: Kysely<Database>, own: Own, now: Date): Promise<boolean> =>
  changeWhere(db, { ...own, isClosed: false }, { closed_at: now });

/** Opens a closed way in, which is then as young as one that is added. False where it is open, or gone. */
export const openFederatedIdentity = (
  db: Kysely<Database>,
  { id, account_id }: Own,
  told: Pick<FederatedIdentityRow, 'email' | 'refresh_token_sealed'>,
  now: Date,
): Promise<boolean> =>
  changeWhere(
    db,
    { id, account_id, isClosed: true },
    {
      closed_at: null,
      linked_at: now,
      // The token of the consent before is dead, and what is told by now counts.
      ...(told.refresh_token_sealed !== null && { refresh_token_sealed: told.refresh_token_sealed }),
      ...(told.email !== null && { email: told.email }),
    },
  );

export const deleteFederatedIdentity = async (
  db: Kysely<Database>,
  { id, account_id }: Own,
): Promise<FederatedIdentityRow | undefined> =>
  db
    .deleteFrom('federated_identity')
    .where('id', '=', id)
    .where('account_id', '=', account_id)
    .returning(federatedIdentityColumns)
    .executeTakeFirst();

/** The ways in of whom providers at these places call so, in the order in which accounts are locked. */
export const listIdentitiesOfSubject = async (
  db: Kysely<Database>,
  subject: string,
  places: readonly Pick<SubjectAt, 'brand' | 'provider'>[],
): Promise<FederatedIdentityRow[]> => {
  const rows = await db
    .selectFrom('federated_identity')
    .select(federatedIdentityColumns)
    .where('subject', '=', subject)
    .where('brand', 'in', [...new Set(places.map(({ brand }) => brand))])
    .where('provider', 'in', [...new Set(places.map(({ provider }) => provider))])
    .orderBy('account_id')
    .execute();
  return rows.filter((row) =>
    places.some(({ brand, provider }) => brand === row.brand && provider === row.provider),
  );
};
