import { randomBytes } from 'node:crypto';
import { openWithAny, seal } from '../../ground/seal.ts';

/** A secret that signs webhooks (Standard Webhooks): `whsec_` and base64. */
interface WebhookSecret {
  secret: string;
  /** When it stops signing, where another one has taken its place. */
  endsAt?: string;
}

/** The purpose from which the key that seals the secrets of streams is derived. */
export const streamSealing = 'signal streams';

type SealingKeys = readonly [Buffer, ...Buffer[]];

const SECRET_BYTES = 32;
/** For so long a webhook has both signatures, so that its receiver can take the new secret without a gap. */
const OVERLAP_MS = 24 * 3_600_000;

const readSecrets = (keys: SealingKeys, sealed: string | null): WebhookSecret[] =>
  sealed === null ? [] : JSON.parse(openWithAny(keys, sealed));

/** Makes a secret. The one before it signs for another 24 hours, and older ones no more. */
export const turnOverSecret = (
  keys: SealingKeys,
  sealed: string | null,
  now: Date,
): { secret: string; sealed: string } => {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  const [before] = readSecrets(keys, sealed);
  const endsAt = new Date(now.getTime() + OVERLAP_MS).toISOString();
  const secrets: WebhookSecret[] = [{ secret }, ...(before ? [{ secret: before.secret, endsAt }] : [])];
  return { secret, sealed: seal(keys[0], JSON.stringify(secrets)) };
};

/** The keys that sign a webhook now, the newest first. */
export const signingSecrets = (keys: SealingKeys, sealed: string | null, now: Date): Buffer[] =>
  readSecrets(keys, sealed)
    .filter(({ endsAt }) => endsAt === undefined || Date.parse(endsAt) > now.getTime())
    .map(({ secret }) => Buffer.from(secret.slice('whsec_'.length), 'base64'));
