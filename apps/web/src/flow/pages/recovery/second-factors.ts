import type { SecondFactorWay } from '@candela/contract';

const known: Readonly<Record<SecondFactorWay, true>> = { totp: true, recovery_code: true, passkey: true };
const isWay = (name: unknown): name is SecondFactorWay =>
  typeof name === 'string' && Object.hasOwn(known, name);

/** Where nothing is known of what the account has. */
export const everyFactor = Object.keys(known).filter(isWay);

/** Reads the second factors that the new password takes from a history state. Any earlier release may have written it. */
export const readFactors = (state: unknown): readonly SecondFactorWay[] => {
  const { factors } = (state ?? {}) as { factors?: unknown };
  return Array.isArray(factors) ? factors.filter(isWay) : [];
};

/** Reads the end of a recovery that waits from a history state. */
export const readWait = (state: unknown): string | undefined => {
  const dueAt: unknown = (state as { wait?: { dueAt?: unknown } } | null)?.wait?.dueAt;
  return typeof dueAt === 'string' ? dueAt : undefined;
};
