import { type StrongClass, strongClasses } from '@candela/contract/rules/authentication-classes';
import type { Brand } from './brand.ts';

/**
 * The weakest class of sign-in by which developers come to their apps, at each of the brands; undefined: every class.
 * All brands lead to the same developers, and to clients of all, so that each asks what any of them asks.
 */
export const developersNeedOf = (brands: readonly Pick<Brand, 'developersNeed'>[]): StrongClass | undefined =>
  strongClasses.findLast((strong) => brands.some(({ developersNeed }) => developersNeed === strong));
