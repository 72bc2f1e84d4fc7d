import type { KoaContextWithOIDC } from 'oidc-provider';

/**
 * How and when the person signed in from whose approval an access token comes: claims of a JWT (RFC 9068 section 2.2.1)
 * and of an introspection (RFC 9470 section 6.2). Undefined for a machine's token.
 */
export const authenticationClaims = ({ oidc }: KoaContextWithOIDC): Record<string, unknown> | undefined => {
  const { AuthorizationCode, RefreshToken, DeviceCode } = oidc.entities;
  const source = AuthorizationCode ?? RefreshToken ?? DeviceCode;
  if (!source) return undefined;
  const { authTime, acr, amr } = source;
  return {
    ...(authTime !== undefined && { auth_time: authTime }),
    ...(acr !== undefined && { acr }),
    ...(amr !== undefined && { amr }),
  };
};
