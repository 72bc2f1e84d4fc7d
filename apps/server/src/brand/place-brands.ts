import { ConfigError } from '../start-error.ts';
import type { Brand, BrandWithPlace } from './brand.ts';

/**
 * The brands served, each with its origin. One without an origin takes `publicUrl` if its marker is in
 * that host; if none does, the first brand takes it. Brands left without an origin are not served.
 * @throws ConfigError when that is every brand.
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
  const served = brands
    .map((brand) => ({ ...brand, origin: brand.origin ?? (brand === owner ? publicUrl : undefined) }))
    .filter((brand): brand is Brand => brand.origin !== undefined);
  const [first, ...rest] = served.sort(
    (a, b) => Number(b.origin === publicUrl) - Number(a.origin === publicUrl),
  );
  if (!first) throw new ConfigError(['BRANDS_FILE names no brand that has an origin']);
  return [first, ...rest];
};
