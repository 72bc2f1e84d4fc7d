import { expiringRows } from '../../ground/db/expiring-rows.ts';

/** Ways through identity providers that are under way. */
export const providerAttemptRows = expiringRows({
  table: 'provider_attempt',
  columns: [
    'state_hash',
    'brand',
    'provider',
    'device_hash',
    'kept',
    'answer',
    'started_at',
    'taken_at',
    'expires_at',
  ],
  owner: 'device_hash',
  endsAt: 'expires_at',
  seconds: 600,
  // For as long as an interaction: an answer that comes twice, or late, still leads back to its page.
  keptSeconds: 3_600,
});
