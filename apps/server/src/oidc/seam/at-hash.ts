import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';

interface SavedToken {
  save(): Promise<string>;
}

interface IssuedIdToken {
  ctx?: KoaContextWithOIDC;
  set(name: string, value: unknown): void;
  issue(options?: { use?: string }): Promise<string>;
}

/**
 * Binds an id_token to the access token issued beside it by `at_hash` (OpenID Connect Core section 3.1.3.6), which
 * the engine does for other flows than the code's only. Its `save`, `issue` and `set` are used beyond its
 * documentation; a test keeps watch over them.
 */
export const bindIdTokens = (provider: Provider): void => {
  const values = new WeakMap<object, string>();

  const accessToken = provider.AccessToken.prototype as unknown as SavedToken;
  const { save } = accessToken;
  accessToken.save = async function (this: SavedToken) {
    const value = await save.call(this);
    values.set(this, value);
    return value;
  };

  const idToken = provider.IdToken.prototype as unknown as IssuedIdToken;
  const { issue } = idToken;
  idToken.issue = function (this: IssuedIdToken, options) {
    const token = options?.use === 'idtoken' ? this.ctx?.oidc.entities.AccessToken : undefined;
    const value = token && values.get(token);
    // The engine puts its hash in the place of the value.
    if (value !== undefined) this.set('at_hash', value);
    return issue.call(this, options);
  };
};
