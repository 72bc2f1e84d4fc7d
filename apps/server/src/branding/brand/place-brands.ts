import { ConfigError } from '../../ground/start-error.ts';
import type { Brand, BrandWithPlace } from './brand.ts';
import { findForeignRpIds } from './rp-id.ts';

/**
 * The brands that are served, each with its origin, the brand of `publicUrl` first. `publicUrl` goes to the brand that
 * names it, else to a brand without an origin: whose marker is in the host, or the first. Brands that are left without an
 * origin are not served.
 * @throws ConfigError when no brand has an origin, or the relying party id of a brand belongs to no brand.
 */
export const placeBrands = (
  brands: readonly BrandWithPlace[],
  publicUrl: string,
): readonly [Brand, ...Brand[]] => {
  const publicHost = new URL(publicUrl).host;
  const owner =
    brands.find((brand) => brand.origin === publicUrl) ??
    brands.find((brand) => !brand.origin && publicHost.includes(brand.marker)) ??
    brands.find((brand) => !brand.origin);
  const served = brands.flatMap((brand): Brand[] => {
    const origin = brand.origin ?? (brand === owner ? publicUrl : undefined);
    return origin === undefined ? [] : [{ ...brand, origin, rpId: brand.rpId ?? new URL(origin).hostname }];
  });
  const [first, ...rest] = served.sort(
    (a, b) => Number(b.origin === publicUrl) - Number(a.origin === publicUrl),
  );
  if (!first) throw new ConfigError(['BRANDS_FILE names no brand that has an origin']);
  const foreign = findForeignRpIds(served).map(
    ({ id, rpId, origin }) =>
      `BRANDS_FILE: the rpId ${rpId} of "${id}" is neither the host of ${origin} nor a suffix of it with a dot, nor that of another brand`,
  );
  if (foreign.length > 0) throw new ConfigError(foreign);
  return [first, ...rest];
};
