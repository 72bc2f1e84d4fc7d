import { openWithAny, seal, sealingKeys } from '../../ground/seal.ts';

/** The purpose from which the keys that seal refresh tokens of identity providers are derived. */
export const refreshTokenSealing = 'refresh tokens of identity providers';

/** A refresh token as a way in keeps it; null where there is none. */
export const sealRefreshToken = (secretKeys: readonly string[], token: string | undefined): string | null =>
  token === undefined ? null : seal(sealingKeys(secretKeys, refreshTokenSealing)[0], token);

/** @throws Error where no key opens it */
export const openRefreshToken = (secretKeys: readonly string[], sealed: string): string =>
  openWithAny(sealingKeys(secretKeys, refreshTokenSealing), sealed);
