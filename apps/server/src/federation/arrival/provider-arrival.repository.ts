import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { expiringRows } from '../../ground/db/expiring-rows.ts';
import type { ProviderPlace } from '../directory/provider-directory.ts';

/** As a ticket does, what the provider proved stands for itself for so long. */
export const ARRIVAL_SECONDS = 600;

/** Who came from an identity provider and is not known: one in each interaction, and the one who came last. */
export const providerArrivalRows = expiringRows({
  table: 'provider_arrival',
  columns: [
    'brand',
    'interaction_hash',
    'device_hash',
    'provider',
    'subject',
    'email',
    'email_proven',
    'email_by_code',
    'name',
    'account_id',
    'kept_token',
    'expires_at',
  ],
  owner: 'interaction_hash',
  endsAt: 'expires_at',
  seconds: ARRIVAL_SECONDS,
  key: ['brand', 'interaction_hash'],
});

/** Whether somebody whom providers at these places call so has come, and waits to get or to prove an account. */
export const isArriving = async (
  db: Kysely<Database>,
  subject: string,
  places: readonly ProviderPlace[],
  now: Date,
): Promise<boolean> => {
  const waiting = await providerArrivalRows.list(db, { subject }, now);
  return waiting.some((row) =>
    places.some(({ brand, provider }) => brand === row.brand && provider === row.provider),
  );
};
