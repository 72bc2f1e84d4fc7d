import type Provider from 'oidc-provider';

/**
 * Binds an id_token to the access token issued beside it by `at_hash` (OpenID Connect Core section 3.1.3.6), which
 * the engine does at the authorization endpoint only. It wraps the engine's `AccessToken.save`, which answers the
 * token's value, and `IdToken.issue`, which replaces the value that was set as `at_hash` by its hash.
 */
export const bindIdTokens = (provider: Provider): void => {
  const values = new WeakMap<object, string>();

  const { save } = provider.AccessToken.prototype;
  provider.AccessToken.prototype.save = async function () {
    const value = await save.call(this);
    values.set(this, value);
    return value;
  };

  const { issue } = provider.IdToken.prototype;
  provider.IdToken.prototype.issue = function (context) {
    // An id_token for logout has no request around it.
    const token = context.use === 'idtoken' ? this.ctx?.oidc.entities.AccessToken : undefined;
    const value = token && values.get(token);
    if (value !== undefined) this.set('at_hash', value);
    return issue.call(this, context);
  };
};
