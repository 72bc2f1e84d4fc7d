import { type Configuration, errors } from 'oidc-provider';
import { policyOf } from '../client/client-policy.ts';

type PkceRequired = NonNullable<NonNullable<Configuration['pkce']>['required']>;

const CHALLENGE = 'code_challenge and code_challenge_method=S256 (PKCE, RFC 7636)';

/**
 * Whether a request without a `code_challenge` has to send one. A confidential client may send a `nonce` in its place
 * (OAuth 2.1 section 7.5.1): either binds the code to the request.
 * @throws InvalidRequest that says what to send.
 */
export const requireCodeBinding: PkceRequired = ({ oidc }, client) => {
  const { codeBinding } = policyOf(client);
  if (codeBinding === 'none') return false;
  if (codeBinding === 'challenge')
    throw new errors.InvalidRequest(`send ${CHALLENGE}: this client is registered to use it always`);
  if (oidc.params?.nonce && oidc.requestParamScopes.has('openid')) return false;
  throw new errors.InvalidRequest(`send ${CHALLENGE} or, with the scope openid, a nonce`);
};
