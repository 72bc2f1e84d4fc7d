import type { SecondFactorWay } from '@candela/contract';
import {
  type AuthenticationClass,
  type StrongClass,
  strongClasses,
} from '@candela/contract/rules/authentication-classes';
import { AppError } from '../../ground/errors.ts';
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

/** What an account can pass the second factor by: ways that make a sign-in at least as strong, by the relying party id. */
export type FactorWays = (
  accountId: string,
  rpId: string,
  atLeast?: StrongClass,
) => Promise<SecondFactorWay[]>;

/** Whether the app takes nothing weaker: an essential `acr`. */
export const isEssential = (params: Params): boolean => askedStrength(params)?.essential === true;

/**
 * Refuses a sign-in that is weaker than what the app needs, before anything of it is kept. A wish refuses nothing.
 * @throws AppError code_required, factor_missing, bound_passkey_missing
 */
export const requireStrength = (params: Params, amr: readonly string[]): void => {
  const asked = askedStrength(params);
  if (!asked?.essential || meets(acrOf(amr), asked)) return;
  const insisted = insistedOf(params);
  if (insisted === 'phrh') throw new AppError('bound_passkey_missing');
  throw new AppError(insisted ? 'factor_missing' : 'code_required');
};
