import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Caller } from '../../ground/browser/caller.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { createOpaqueToken, hashToken } from '../../ground/opaque-token.ts';
import { addressLimits } from '../../ground/rate-limit/address-limits.ts';
import { requireRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';
import { passkeyChallengeRows } from './passkey-challenge.repository.ts';
import type { ChallengePurpose } from './passkey-challenge.table.ts';
import { PasskeyRefusal } from './passkey-refusal.ts';

const TEN_MINUTES = 600;
/** A sign-in page asks for one each time it is opened. */
const PER_BROWSER = 60;
/** Thousands of people may share an address. */
const PER_ADDRESS = 10_000;

export interface ChallengeOptions {
  db: Kysely<Database>;
  events: EventSink;
  now: () => Date;
}

/** What a challenge is for: nothing else may be answered with it. */
export interface ChallengeUse extends Caller {
  brand: Pick<Brand, 'id'>;
  purpose: ChallengePurpose;
  /** The digest of the interaction, the `uid` of the session, or the account that recovers. */
  boundTo: string;
  /** Who is to answer, where that is known. */
  accountId: string | undefined;
}

/**
 * Makes a challenge of 256 random bits (Web Authentication section 13.4.3).
 * @throws AppError rate_limited
 */
export const issueChallenge = async (
  { db, events, now }: ChallengeOptions,
  { brand, purpose, boundTo, accountId, browserId, address }: ChallengeUse,
): Promise<string> => {
  const at = now();
  const browserHash = hashToken(browserId);
  const windowSeconds = TEN_MINUTES;
  const limits = [
    { key: `passkey.challenge.browser ${browserHash}`, limit: PER_BROWSER, windowSeconds },
    ...addressLimits('passkey.challenge', address, { limit: PER_ADDRESS, windowSeconds }),
  ];
  await requireRateLimits(db, limits, at, events);
  const challenge = createOpaqueToken();
  const row = {
    challenge_hash: hashToken(challenge),
    purpose,
    brand: brand.id,
    browser_hash: browserHash,
    bound_to: boundTo,
    account_id: accountId ?? null,
  };
  await passkeyChallengeRows.put(db, row, at);
  return challenge;
};

/**
 * Spends a challenge for the use that it was made for. Whatever is wrong with the rest of the answer, the challenge is
 * spent.
 * @throws PasskeyRefusal; AppError challenge_expired
 */
export const useChallenge = async (
  { db, now }: ChallengeOptions,
  challenge: string,
  { brand, purpose, boundTo, browserId }: Omit<ChallengeUse, 'address' | 'accountId'>,
): Promise<void> => {
  const challengeHash = hashToken(challenge);
  const at = now();
  const unspent = {
    challenge_hash: challengeHash,
    purpose,
    brand: brand.id,
    browser_hash: hashToken(browserId),
    bound_to: boundTo,
    spent_at: null,
  };
  if (await passkeyChallengeRows.change(db, unspent, { spent_at: at }, at)) return;
  const known = await passkeyChallengeRows.findKept(db, { challenge_hash: challengeHash });
  if (known?.spent_at) throw new PasskeyRefusal('replayed');
  if (known && known.expires_at > at) throw new PasskeyRefusal('challenge_elsewhere');
  throw new AppError('challenge_expired');
};
