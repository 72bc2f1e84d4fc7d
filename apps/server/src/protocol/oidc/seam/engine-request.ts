import { type InteractionResults, type KoaContextWithOIDC, Provider } from 'oidc-provider';

type Client = NonNullable<KoaContextWithOIDC['oidc']['client']>;

/**
 * What the models know of the request on whose behalf the engine calls them. The engine hands its adapters no context
 * of their own, and keeps the current one in `Provider.ctx`: this file alone reads it.
 */
export interface EngineRequest {
  /** The engine's name of the endpoint, `token` for example; undefined outside of its endpoints. */
  readonly route: string | undefined;
  /** The client that asks: authenticated, or named by a request of the browser. */
  readonly client: Client | undefined;
  /** The parameters of the request as the engine has them so far. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The DPoP header (RFC 9449 section 4.1). */
  readonly proof: string | undefined;
  /** The client of the access token that the request presents, or is to revoke. */
  readonly accessToken: { clientId: string | undefined } | undefined;
  /** The refresh token that the one to be saved replaces. */
  readonly rotatedFrom: string | undefined;
  /** The account that is signed in in the browser's session. */
  readonly accountId: string | undefined;
  /** The sign-in that the request takes up. */
  readonly signIn: InteractionResults['login'];
  /** Whether the request goes on with an interaction that somebody has answered. */
  readonly isAnswered: boolean;
  /** Finds a client of the engine by its id, which need not be the one that asks. */
  findClient(id: string): Promise<Client | undefined>;
}

const outside: EngineRequest = {
  route: undefined,
  client: undefined,
  parameters: {},
  proof: undefined,
  accessToken: undefined,
  rotatedFrom: undefined,
  accountId: undefined,
  signIn: undefined,
  isAnswered: false,
  findClient: async () => undefined,
};

/** The engine's context of the request that is served now; undefined outside of its endpoints. */
export const currentContext = (): KoaContextWithOIDC | undefined =>
  Provider.ctx?.oidc ? Provider.ctx : undefined;

/** The request that is served now, as far as the engine has got with it. */
export const currentRequest = (): EngineRequest => {
  const ctx = currentContext();
  if (!ctx) return outside;
  const { oidc } = ctx;
  const { client, entities } = oidc;
  return {
    route: oidc.route,
    client,
    parameters: oidc.params ?? {},
    proof: ctx.get('DPoP') || undefined,
    accessToken: entities.AccessToken && { clientId: entities.AccessToken.clientId },
    rotatedFrom: entities.RotatedRefreshToken?.jti,
    accountId: oidc.session?.accountId,
    signIn: oidc.result?.login,
    isAnswered: entities.Interaction?.result !== undefined,
    findClient: async (id) => (client?.clientId === id ? client : oidc.provider.Client.find(id)),
  };
};

/** Sets when the caller of the current request, where there is one, may come again (RFC 9110 section 10.2.3). */
export const setRetryAfter = (seconds: number): void => {
  Provider.ctx?.set('Retry-After', String(seconds));
};
