import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { AccountRecord } from '../account/account.repository.ts';
import { listFederatedIdentities } from '../federated-identity/federated-identity.repository.ts';
import { listPasskeys } from './passkey.repository.ts';

/** Which identity providers open accounts. */
export interface ServedProviders {
  /** Whether a provider still opens accounts at a brand, by their ids. */
  isServed(brand: string, id: string): boolean;
}

/**
 * Whether nobody could sign in to the account without a way in.
 * @param without the id of a passkey, or of a way in through an identity provider
 */
export const isLastWayIn = async (
  trx: Kysely<Database>,
  providers: ServedProviders,
  { account, identifiers }: AccountRecord,
  without: { id: string },
): Promise<boolean> => {
  if (identifiers.length > 0) return false;
  if ((await listPasskeys(trx, account.id)).some(({ id }) => id !== without.id)) return false;
  return !(await listFederatedIdentities(trx, account.id)).some(
    ({ id, brand, provider, closed_at }) =>
      id !== without.id && closed_at === null && providers.isServed(brand, provider),
  );
};
