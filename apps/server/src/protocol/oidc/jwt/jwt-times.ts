import { databaseNow } from '../../../ground/db/clock.ts';

/** A client signs a JWT for one request. Its `jti` is remembered until it ends, so its life is bounded. */
export const LONGEST_LIFE_SECONDS = 3600;
/** By so much the clocks of client and server may differ (FAPI 2.0 Security Profile section 5.3.2.1). */
export const CLOCK_TOLERANCE_SECONDS = 60;

/**
 * What is wrong with the times of a JWT that a client signed; undefined where they are right. The engine has refused
 * before what has expired and what is not valid yet. Times are in seconds since the epoch.
 */
export const faultOfTimes = ({ iat, exp }: Record<string, unknown>): string | undefined => {
  const now = Math.floor(databaseNow().getTime() / 1000);
  if (iat !== undefined && (typeof iat !== 'number' || iat > now + CLOCK_TOLERANCE_SECONDS))
    return 'was issued in the future';
  if (typeof exp !== 'number') return 'has no exp';
  const last = now + LONGEST_LIFE_SECONDS + CLOCK_TOLERANCE_SECONDS;
  return exp > last ? 'is good for more than an hour' : undefined;
};
