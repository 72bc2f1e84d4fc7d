import { endIn } from '../storage/columns.ts';

/** What a client signs is for one request; what is remembered of it is remembered until it ends. */
export const LONGEST_LIFE_SECONDS = 3600;
/** FAPI 2.0 Security Profile section 5.3.2.1: clocks may differ by so much. */
export const CLOCK_TOLERANCE_SECONDS = 60;

/**
 * What is wrong with the times of a JWT that a client made, in seconds since the epoch; undefined where they are
 * right. The engine has refused one that is over or not good yet.
 */
export const faultOfTimes = ({ iat, exp }: Record<string, unknown>): string | undefined => {
  const now = endIn(0);
  if (iat !== undefined && (typeof iat !== 'number' || iat > now + CLOCK_TOLERANCE_SECONDS))
    return 'was issued in the future';
  if (typeof exp !== 'number') return 'has no exp';
  const last = now + LONGEST_LIFE_SECONDS + CLOCK_TOLERANCE_SECONDS;
  return exp > last ? 'is good for more than an hour' : undefined;
};
