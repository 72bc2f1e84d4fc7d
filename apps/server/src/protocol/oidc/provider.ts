import type { Middleware } from 'koa';
import compose from 'koa-compose';
import Provider from 'oidc-provider';
import { JWT_BEARER } from '../../clients/client/google-linking-rules.ts';
import type { ClientRecords } from '../../clients/client-health/client-records.ts';
import { noteOutage } from '../../ground/db/outage.ts';
import type { Logger } from '../../ground/logger.ts';
import { createCookieSigner } from '../../http/cookie-signer.ts';
import { type EngineClient, policyOf } from './client/client-policy.ts';
import { createSecretComparison } from './client/client-secret.ts';
import type { FailedAuthentications } from './client/failed-authentication.ts';
import { extendedUri } from './client/redirect-uri.ts';
import { type ConfigurationOptions, createConfiguration, idTokenAlgorithms } from './configuration.ts';
import { createDevicePage } from './device/device-flow.ts';
import { createGoogleGrant, type GoogleGrantOptions, googleParameters } from './google/google-grant.ts';
import { noteRefusals } from './protocol-events.ts';
import { createRefreshScope } from './refresh/refresh-scope.ts';
import { createRefusalRecorder } from './refusal/refused-requests.ts';
import { bindIdTokens } from './seam/at-hash.ts';
import { replaceSecretComparison, takeMoreRedirectUris } from './seam/client-model.ts';
import { takeEarlierHints } from './seam/id-token-hint.ts';
import { onPresentedCode, onPresentedDeviceCode, onPresentedRefreshToken } from './seam/presented-tokens.ts';
import { settleCodeAddress } from './token/code-address.ts';
import { createParametersInQuery } from './token/parameters-in-query.ts';
import { createCodeScope } from './token/registered-scope.ts';
import { createUnitMiddleware, type UnitOptions } from './unit.middleware.ts';

export interface EngineOptions extends ConfigurationOptions, Pick<GoogleGrantOptions, 'google'> {}

export interface BrandProviderOptions extends EngineOptions, Pick<UnitOptions, 'facts' | 'events'> {
  failures: FailedAuthentications;
  records: ClientRecords;
  logger: Pick<Logger, 'warn'>;
}

/** The authorization server of one brand: its engine, and the middleware that serves its endpoints. */
export interface BrandProvider {
  provider: Provider;
  middleware: Middleware;
}

/** Whether a client is registered with parameters that its redirect URIs have beyond the registered ones. */
const isExtendedUri = (client: EngineClient, uri: string): boolean =>
  extendedUri(uri, client.redirectUris ?? [], policyOf(client).redirectUriParameters) !== undefined;

export const createEngine = (options: EngineOptions): Provider => {
  const provider = new Provider(options.brand.origin, createConfiguration(options));
  provider.keys = createCookieSigner(options.cookieKeys);
  provider.registerGrantType(JWT_BEARER, createGoogleGrant(options), googleParameters);
  return provider;
};

export const createBrandProvider = (options: BrandProviderOptions): BrandProvider => {
  const provider = createEngine(options);
  provider.proxy = false;
  noteRefusals(provider);
  replaceSecretComparison(provider, createSecretComparison(options));
  takeMoreRedirectUris(provider, isExtendedUri);
  bindIdTokens(provider);
  takeEarlierHints(provider, idTokenAlgorithms);
  const scopeOptions = { ...options, brand: options.brand.id };
  const settleCodeScope = createCodeScope(scopeOptions);
  onPresentedCode(provider, settleCodeAddress);
  onPresentedCode(provider, settleCodeScope);
  onPresentedDeviceCode(provider, settleCodeScope);
  onPresentedRefreshToken(provider, createRefreshScope(scopeOptions));
  // A look-up that several requests share fails under the watch of one of them; the others note the outage here.
  provider.on('server_error', (_ctx, error) => noteOutage(error));
  const recordRefusal = createRefusalRecorder({ ...options, brand: options.brand.id });
  provider.use(createUnitMiddleware({ ...options, recordRefusal }));
  provider.use(createParametersInQuery(options));
  provider.use(createDevicePage(provider));
  return { provider, middleware: compose(provider.middleware) as Middleware };
};
