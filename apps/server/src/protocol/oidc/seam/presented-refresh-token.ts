import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { currentContext } from './engine-request.ts';

type RefreshToken = InstanceType<Provider['RefreshToken']>;

/**
 * Calls `settle` with each refresh token that a token request presents, once it is found and before anything of the
 * request is checked against it. It wraps the engine's `RefreshToken.find`.
 */
export const onPresentedRefreshToken = (
  provider: Provider,
  settle: (ctx: KoaContextWithOIDC, token: RefreshToken) => Promise<void>,
): void => {
  const model = provider.RefreshToken as { find: typeof provider.RefreshToken.find<RefreshToken> };
  const find = model.find.bind(provider.RefreshToken);
  model.find = async (...presented) => {
    const token = await find(...presented);
    const ctx = currentContext();
    if (token && ctx?.oidc.route === 'token') await settle(ctx, token);
    return token;
  };
};
