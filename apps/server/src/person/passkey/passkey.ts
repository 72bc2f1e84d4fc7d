import { isPasskeyTransport, type Passkey, type PasskeyRequestOptions } from '@candela/contract';
import type { StrongClass } from '@candela/contract/rules/authentication-classes';
import type { PasskeyRow } from './passkey.table.ts';
import { providerOf } from './providers.ts';

/** Makes the passkey of the contract from its row, as pages of a relying party show it. */
export const toPasskey = (row: PasskeyRow, rpId: string): Passkey => {
  const provider = providerOf(row.aaguid);
  return {
    id: row.id,
    credentialId: row.credential_id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    ...(row.last_used_at && { lastUsedAt: row.last_used_at.toISOString() }),
    synced: row.backed_up,
    ...(provider && { provider }),
    ...(row.warned_at && { warning: 'counter' }),
    ...(row.rp_id !== rpId && { elsewhere: row.rp_id }),
  };
};

type Descriptor = NonNullable<PasskeyRequestOptions['allowCredentials']>[number];

/** How a browser finds the passkey. */
export const toDescriptor = ({ credential_id, transports }: PasskeyRow): Descriptor => ({
  id: credential_id,
  type: 'public-key',
  transports: transports.split(' ').filter(isPasskeyTransport),
});

/** The class of a sign-in by the passkey. */
export const classOf = ({ backup_eligible }: Pick<PasskeyRow, 'backup_eligible'>): StrongClass =>
  backup_eligible ? 'phr' : 'phrh';
