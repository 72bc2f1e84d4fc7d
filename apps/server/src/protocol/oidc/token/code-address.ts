import type { KoaContextWithOIDC } from 'oidc-provider';
import { policyOf } from '../client/client-policy.ts';
import { extendedUri } from '../client/redirect-uri.ts';
import { setRedirectUri } from '../seam/request-rewriting.ts';

interface Code {
  clientId?: string | undefined;
  redirectUri?: string | undefined;
}

/**
 * Lets a code be redeemed at the registered URI which the redirect URI of its request extends: AliGenie documents the
 * token request so. Any other URI must be that of the request, with all of its parameters (RFC 6749 section 4.1.3).
 */
export const settleCodeAddress = (
  { oidc }: KoaContextWithOIDC,
  { clientId, redirectUri = '' }: Code,
): void => {
  const { client, params } = oidc;
  if (!client || clientId !== client.clientId) return;
  const names = policyOf(client).redirectUriParameters;
  const extended = extendedUri(redirectUri, client.redirectUris ?? [], names);
  if (extended !== undefined && params?.redirect_uri === extended) setRedirectUri(oidc, redirectUri);
};
