import type { SecondFactorWay } from '@candela/contract';
import {
  type AuthenticationClass,
  isAtLeast,
  type StrongClass,
  strongClasses,
} from '@candela/contract/rules/authentication-classes';
import { AppError } from '../errors.ts';
import { acrOf, askedStrength, meets, weakestAsked } from '../oidc/subject/authentication-context.ts';

type Params = Readonly<Record<string, unknown>>;

const isStrong = (name: AuthenticationClass | undefined): name is StrongClass =>
  (strongClasses as readonly unknown[]).includes(name);

/** The weakest class that the app takes, where a password or a code is not enough for it; a wish counts too. */
export const insistedOf = (params: Params): StrongClass | undefined => {
  const asked = askedStrength(params);
  const weakest = asked && weakestAsked(asked);
  return isStrong(weakest) ? weakest : undefined;
};

/** The strongest class that each way of passing the factor can give. */
const reach = { totp: 'mfa', recovery_code: 'mfa', passkey: 'phrh' } as const satisfies Record<
  SecondFactorWay,
  StrongClass
>;

/**
 * The ways that make a sign-in as strong as the app asks, of all ways of an account. None where the app asks for no
 * factor. Trust in a browser does not stand for them.
 */
export const stronger = (params: Params, ways: readonly SecondFactorWay[]): SecondFactorWay[] => {
  const insisted = insistedOf(params);
  return insisted ? ways.filter((way) => isAtLeast(reach[way], insisted)) : [];
};

/**
 * Refuses a sign-in that is weaker than what the app needs, before anything of it is kept. A wish refuses nothing.
 * @throws AppError code_required, factor_missing
 */
export const requireStrength = (params: Params, amr: readonly string[]): void => {
  const asked = askedStrength(params);
  if (!asked?.essential || meets(acrOf(amr), asked)) return;
  throw new AppError(insistedOf(params) ? 'factor_missing' : 'code_required');
};
