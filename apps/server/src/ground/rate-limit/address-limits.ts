import { networksOf } from './address-key.ts';
import type { RateLimit } from './rate-limit.service.ts';

/** A /56 has 256 networks of 64 bits, a /48 has 65,536, an IPv4 /24 has 256 addresses. */
const growth = { wider: 3, widest: 10 };

const factorOf = (level: number, levels: number): number => {
  if (level === 0) return 1;
  return level === levels - 1 ? growth.widest : growth.wider;
};

/** The largest number that a counter can hold. */
const MOST = 2 ** 31 - 2;

/**
 * The limits of a caller's address, always in the same order: `limit` for its own network, and higher limits for the
 * wider networks around it. Limits grow far more slowly than the networks, so that a caller with many networks does
 * not have as many limits.
 */
export const addressLimits = (
  name: string,
  address: string,
  { limit, windowSeconds }: Pick<RateLimit, 'limit' | 'windowSeconds'>,
): RateLimit[] =>
  networksOf(address).map((network, level, { length }) => ({
    key: `${name} ${network}`,
    limit: Math.min(MOST, limit * factorOf(level, length)),
    windowSeconds,
  }));
