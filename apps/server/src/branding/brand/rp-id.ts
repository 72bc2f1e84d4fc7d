import { isIP } from 'node:net';
import type { Brand } from './brand.ts';

/**
 * Whether pages of the host may use the relying party id: it is the host, or a suffix of the host at a dot (Web
 * Authentication section 5.1.3). A name without a dot is a public suffix, but for `localhost`. Browsers know the other
 * public suffixes, and refuse them.
 * @internal exported for tests
 */
export const isRpIdOf = (rpId: string, host: string): boolean => {
  if (rpId === host) return true;
  return isIP(host) === 0 && rpId.includes('.') && host.endsWith(`.${rpId}`);
};

type Placed = Pick<Brand, 'id' | 'origin' | 'rpId'>;

const ownsRpId = ({ origin, rpId }: Placed): boolean => isRpIdOf(rpId, new URL(origin).hostname);

/** The brands whose relying party id belongs to no brand's host: neither their own, nor that of one that they share it with. */
export const findForeignRpIds = <B extends Placed>(brands: readonly B[]): B[] =>
  brands.filter((brand) => !brands.some((owner) => owner.rpId === brand.rpId && ownsRpId(owner)));

/** The origins that share a relying party id. */
export const originsOf = (rpId: string, brands: readonly Placed[]): string[] =>
  brands.filter((brand) => brand.rpId === rpId).map(({ origin }) => origin);
