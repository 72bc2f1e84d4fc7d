import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { listAccounts } from '../account/account.repository.ts';
import { listFederatedIdentities } from '../federated-identity/federated-identity.repository.ts';
import { listPasskeys } from '../passkey/passkey.repository.ts';
import { findActiveSince } from '../second-factor/totp.repository.ts';
import type { Holdings } from './seniority.ts';

const listOpenIdentities = async (db: Kysely<Database>, accountId: string) =>
  (await listFederatedIdentities(db, accountId)).filter(({ closed_at }) => closed_at === null);

/** What proves an account at a time. */
export const readHoldings = async (db: Kysely<Database>, accountId: string, at: Date): Promise<Holdings> => {
  const [record] = await listAccounts(db, [accountId]);
  return {
    identifiers: record?.identifiers ?? [],
    passkeys: await listPasskeys(db, accountId),
    identities: await listOpenIdentities(db, accountId),
    factorSince: await findActiveSince(db, accountId),
    at,
  };
};
