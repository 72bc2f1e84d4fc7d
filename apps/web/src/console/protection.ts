import type { RegisteredClient } from '@candela/contract';

/**
 * What keeps others from asking for tokens in the name of a client: its secret, its key, PKCE, or, without all of them,
 * a person who confirms.
 */
export const protectionOf = ({
  token_endpoint_auth_method: method,
  grant_types: grantTypes,
}: Pick<RegisteredClient, 'token_endpoint_auth_method' | 'grant_types'>):
  | 'secret'
  | 'key'
  | 'pkce'
  | 'person' => {
  if (method.startsWith('client_secret')) return 'secret';
  if (method !== 'none') return 'key';
  return grantTypes.includes('authorization_code') ? 'pkce' : 'person';
};
