import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { currentContext } from './engine-request.ts';

type RefreshToken = InstanceType<Provider['RefreshToken']>;
type AuthorizationCode = InstanceType<Provider['AuthorizationCode']>;
type DeviceCode = InstanceType<Provider['DeviceCode']>;

type Settle<Token> = (ctx: KoaContextWithOIDC, token: Token) => Promise<void> | void;

/** Calls `settle` with each token that a token request presents, by wrapping the engine's `find` of the model. */
const onPresented = <Token>(
  model: { find(...presented: [string, object?]): Promise<Token | undefined> },
  settle: Settle<Token>,
): void => {
  const find = model.find.bind(model);
  model.find = async (...presented) => {
    const token = await find(...presented);
    const ctx = currentContext();
    if (token && ctx?.oidc.route === 'token') await settle(ctx, token);
    return token;
  };
};

/** Calls `settle` with each refresh token that is presented, before anything of the request is checked against it. */
export const onPresentedRefreshToken = (provider: Provider, settle: Settle<RefreshToken>): void =>
  onPresented<RefreshToken>(provider.RefreshToken, settle);

/** Calls `settle` with each code that is presented, before anything of the request is checked against it. */
export const onPresentedCode = (provider: Provider, settle: Settle<AuthorizationCode>): void =>
  onPresented<AuthorizationCode>(provider.AuthorizationCode, settle);

/** Calls `settle` with each device code that is polled with, before anything of the request is checked against it. */
export const onPresentedDeviceCode = (provider: Provider, settle: Settle<DeviceCode>): void =>
  onPresented<DeviceCode>(provider.DeviceCode, settle);
