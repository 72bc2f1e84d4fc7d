import type Provider from 'oidc-provider';
import type { ClientMetadata } from 'oidc-provider';

/** What the engine's `Client` can do beyond its documentation: compare secrets, check metadata, send logouts. */
type EngineClient = NonNullable<Awaited<ReturnType<Provider['Client']['find']>>>;

/** Whether the secret that was presented is the client's. */
export type SecretComparison = (
  client: Pick<EngineClient, 'clientId' | 'clientSecret'>,
  presented: string,
) => Promise<boolean>;

/** Replaces how the engine compares the secrets of clients: it takes the registered one to be in plain text. */
export const replaceSecretComparison = (provider: Provider, compare: SecretComparison): void => {
  provider.Client.prototype.compareClientSecret = function (presented) {
    return compare(this, presented);
  };
};

/** Takes redirect URIs beside those that are exactly a registered one, which is all that the engine knows. */
export const takeMoreRedirectUris = (
  provider: Provider,
  isTaken: (client: EngineClient, uri: string) => boolean,
): void => {
  const { redirectUriAllowed } = provider.Client.prototype;
  provider.Client.prototype.redirectUriAllowed = function (uri) {
    return redirectUriAllowed.call(this, uri) || isTaken(this, uri);
  };
};

/** Why the engine would refuse a client of these metadata; undefined where it would take them. */
export const faultOfMetadata = (provider: Provider, metadata: ClientMetadata): string | undefined => {
  try {
    Reflect.construct(provider.Client, [metadata]);
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return 'error_description' in error ? String(error.error_description) : error.message;
  }
};

interface LogoutSending {
  backchannelLogout(accountId: string, sid: string): Promise<void>;
}

const sendsLogouts = (client: EngineClient): client is EngineClient & LogoutSending =>
  'backchannelLogout' in client;

/**
 * Makes a logout token and posts it to the client by the configured `fetch` (OpenID Connect Back-Channel Logout).
 * @throws what `fetch` throws, or an error that `statusOfRefusal` reads where the client answered neither 200 nor 204.
 */
export const postLogoutToken = async (
  client: EngineClient,
  { accountId, sid }: { accountId: string; sid: string },
): Promise<void> => {
  if (!sendsLogouts(client)) throw new Error('the engine sends no logout tokens');
  await client.backchannelLogout(accountId, sid);
};

/** The status that a client answered to a logout token, by the error of `postLogoutToken`; 0 where none came. */
export const statusOfRefusal = (error: unknown): number => {
  const { response } = (error ?? {}) as { response?: { status?: unknown } };
  return typeof response?.status === 'number' ? response.status : 0;
};
