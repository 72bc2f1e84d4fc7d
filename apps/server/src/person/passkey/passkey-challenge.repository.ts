import { expiringRows } from '../../ground/db/expiring-rows.ts';

/** How long a person may take to answer. */
export const CHALLENGE_SECONDS = 300;

/** Challenges of passkeys. One is spent by a change of `spent_at`, where that is null. */
export const passkeyChallengeRows = expiringRows({
  table: 'passkey_challenge',
  columns: ['spent_at', 'expires_at'],
  owner: 'account_id',
  endsAt: 'expires_at',
  seconds: CHALLENGE_SECONDS,
  // For so long it is known whether it was answered.
  keptSeconds: 3600,
});
