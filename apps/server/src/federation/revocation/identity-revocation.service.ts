import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Database } from '../../ground/db/database.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { findFederatedIdentity } from '../../person/federated-identity/federated-identity.repository.ts';
import { openRefreshToken } from '../../person/federated-identity/refresh-token-sealing.ts';
import type { ProviderDirectory } from '../directory/provider-directory.ts';
import { deleteRevocation, updateDueRevocations } from './identity-revocation.repository.ts';
import type { IdentityRevocationRow } from './identity-revocation.table.ts';

/** About a week, with the pauses between them. */
const MOST_ATTEMPTS = 11;
const BATCH = 10;

export interface IdentityRevocationOptions {
  db: Kysely<Database>;
  brands: readonly Pick<Brand, 'id' | 'origin'>[];
  directory: Pick<ProviderDirectory, 'find'>;
  secretKeys: readonly string[];
  events: EventSink;
}

/** Gives back to identity providers what they issued for people who left, or unlinked them. */
export interface IdentityRevocationService {
  /** Tries what is due, and answers how many. One that fails is tried again for about a week. */
  carryOut(signal?: AbortSignal): Promise<number>;
}

export const createIdentityRevocationService = ({
  db,
  brands,
  directory,
  secretKeys,
  events,
}: IdentityRevocationOptions): IdentityRevocationService => {
  /** Answers whether it gave anything back: whoever has the way in again would lose it. */
  const revoke = async (row: IdentityRevocationRow): Promise<boolean> => {
    if (await findFederatedIdentity(db, row)) return false;
    const brand = brands.find(({ id }) => id === row.brand);
    const found = brand && directory.find(brand, row.provider);
    // An entry that is gone took its credentials along.
    if (!found?.kind.revoke) throw new Error('no provider of this id takes anything back');
    await found.kind.revoke(found.context, openRefreshToken(secretKeys, row.refresh_token_sealed));
    return true;
  };

  const tryOne = async (row: IdentityRevocationRow): Promise<void> => {
    const { id, brand, provider, attempts } = row;
    try {
      const isRevoked = await revoke(row);
      await deleteRevocation(db, id);
      if (isRevoked) events.emit('provider.revoked', { brand, provider });
    } catch (error) {
      const final = attempts >= MOST_ATTEMPTS;
      if (final) await deleteRevocation(db, id);
      const detail = error instanceof Error ? String(error.cause ?? error.message) : String(error);
      events.emit('provider.not_revoked', { brand, provider, detail, count: attempts, final });
    }
  };

  return {
    carryOut: async (signal) => {
      let tried = 0;
      for (;;) {
        if (signal?.aborted) return tried;
        const due = await updateDueRevocations(db, BATCH);
        for (const row of due) await tryOne(row);
        tried += due.length;
        if (due.length < BATCH) return tried;
      }
    },
  };
};
