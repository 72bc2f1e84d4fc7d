import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { listIdentitiesOfSubject } from '../../person/federated-identity/federated-identity.repository.ts';
import { openRefreshToken } from '../../person/federated-identity/refresh-token-sealing.ts';
import { isArriving } from '../arrival/provider-arrival.repository.ts';
import type { ProviderDirectory } from '../directory/provider-directory.ts';
import { detailOf } from '../identity-provider/detail-of.ts';
import { deleteRevocation, updateDueRevocations } from './identity-revocation.repository.ts';
import type { IdentityRevocationRow } from './identity-revocation.table.ts';

/** About a week, with the pauses between them. */
const MOST_ATTEMPTS = 11;
const BATCH = 10;

export interface IdentityRevocationOptions {
  db: Kysely<Database>;
  brands: readonly Pick<Brand, 'id' | 'origin'>[];
  directory: Pick<ProviderDirectory, 'find' | 'placesOfApps'>;
  secretKeys: readonly string[];
  events: EventSink;
  now: () => Date;
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
  now,
}: IdentityRevocationOptions): IdentityRevocationService => {
  /** Whoever has the way in, or is about to, would lose it. */
  const revoke = async (row: IdentityRevocationRow): Promise<'revoked' | 'kept' | 'waits'> => {
    const brand = brands.find(({ id }) => id === row.brand);
    const found = brand && directory.find(brand, row.provider);
    // An entry that is gone took its credentials along.
    if (!found?.kind.revoke) throw new Error('no provider of this id takes anything back');
    // What is given back is the consent to the app, at whichever brand it was given.
    const { kind, clientId } = found.provider;
    const places = directory.placesOfApps(brands, kind, [clientId]);
    if ((await listIdentitiesOfSubject(db, row.subject, places)).length > 0) return 'kept';
    if (row.attempts < MOST_ATTEMPTS && (await isArriving(db, row.subject, places, now()))) return 'waits';
    await found.kind.revoke(found.context, openRefreshToken(secretKeys, row.refresh_token_sealed));
    return 'revoked';
  };

  const tryOne = async (row: IdentityRevocationRow): Promise<void> => {
    const { id, brand, provider, attempts } = row;
    try {
      const outcome = await revoke(row);
      if (outcome !== 'waits') await deleteRevocation(db, id);
      if (outcome === 'revoked') events.emit('provider.revoked', { brand, provider });
    } catch (error) {
      const final = attempts >= MOST_ATTEMPTS;
      if (final) await deleteRevocation(db, id);
      const detail = detailOf(error instanceof AppError ? (error.cause ?? error) : error);
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
