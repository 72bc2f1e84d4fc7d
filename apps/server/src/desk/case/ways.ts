import type { DeskAccount } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { findPassword } from '../../person/credential/password.repository.ts';
import { listFederatedIdentities } from '../../person/federated-identity/federated-identity.repository.ts';
import type { FederatedIdentityRow } from '../../person/federated-identity/federated-identity.table.ts';
import { listPasskeys } from '../../person/passkey/passkey.repository.ts';
import { countRecoveryCodes } from '../../person/second-factor/recovery-code.repository.ts';
import { findActiveSince } from '../../person/second-factor/totp.repository.ts';
import { trustedBrowserRows } from '../../person/trusted-browser/trusted-browser.repository.ts';

const toProvider = ({ provider, brand, linked_at, last_used_at, closed_at }: FederatedIdentityRow) => ({
  provider,
  brand,
  linkedAt: linked_at.toISOString(),
  ...(last_used_at && { lastUsedAt: last_used_at.toISOString() }),
  ...(closed_at && { closedAt: closed_at.toISOString() }),
});

/** The ways in which a person signs in, by name and time alone. */
export const describeWays = async (
  db: Kysely<Database>,
  accountId: string,
  now: Date,
): Promise<DeskAccount['ways']> => {
  const password = await findPassword(db, accountId);
  const since = await findActiveSince(db, accountId);
  const passkeys = await listPasskeys(db, accountId);
  const providers = await listFederatedIdentities(db, accountId);
  return {
    ...(password && { password: { changedAt: password.changed_at.toISOString() } }),
    passkeys: passkeys.map(({ id, name, created_at, last_used_at }) => ({
      id,
      name,
      createdAt: created_at.toISOString(),
      ...(last_used_at && { lastUsedAt: last_used_at.toISOString() }),
    })),
    ...(since && {
      factor: { since: since.toISOString(), recoveryCodesLeft: await countRecoveryCodes(db, accountId) },
    }),
    ...(providers.length > 0 && { providers: providers.map(toProvider) }),
    trustedBrowsers: (await trustedBrowserRows.list(db, { account_id: accountId }, now)).length,
  };
};
