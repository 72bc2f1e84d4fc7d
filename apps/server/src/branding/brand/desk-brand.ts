import type { Brand } from './brand.ts';

/** The id under which what is made at the desk's own origin is stored. */
export const DESK_BRAND_ID = 'desk';

/**
 * The brands with one more for the desk's own origin: it looks and speaks as the first. Its passkeys are those of the
 * first brand where its host may use them, which is below theirs. Where the origin is a brand's, nothing is added.
 */
export const withDeskBrand = (
  brands: readonly [Brand, ...Brand[]],
  origin: string | undefined,
): readonly [Brand, ...Brand[]] => {
  if (origin === undefined || brands.some((brand) => brand.origin === origin)) return brands;
  const [first] = brands;
  const { host, hostname } = new URL(origin);
  const rpId = hostname.endsWith(`.${first.rpId}`) ? first.rpId : hostname;
  return [...brands, { ...first, id: DESK_BRAND_ID, marker: host, origin, rpId, forStaff: true }];
};
