import { importPKCS8, jwtVerify } from 'jose';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  getJwksCache,
  None,
  PrivateKeyJwt,
  type ServerMetadata,
  setJwksCache,
} from 'openid-client';
import { AppError } from '../../ground/errors.ts';
import type { IdentityProvider } from '../identity-provider/identity-provider.ts';
import type { ProviderContext } from '../identity-provider/provider-kind.ts';

/** A provider is asked again for its metadata after so long. */
const METADATA_MS = 3_600_000;
/** The library reads keys anew for a key that it does not know, but not of a set that is younger than this. */
const RENEWABLE_SECONDS = 61;

type KeyCache = NonNullable<ReturnType<typeof getJwksCache>>;

interface Known {
  metadata: ServerMetadata;
  readAt: number;
  /** The library uses them for 5 minutes after `uat`, a time in seconds. */
  keys?: KeyCache;
}

/** What this process knows of providers: what they publish, and nothing of people. */
const known = new WeakMap<IdentityProvider, Known>();

const readMetadata = async (
  { provider, fetch }: ProviderContext,
  issuer: string,
): Promise<ServerMetadata> => {
  const configuration = await discovery(new URL(issuer), provider.clientId, undefined, undefined, {
    [customFetch]: fetch,
    execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
  });
  const { supportsPKCE: _, ...metadata } = configuration.serverMetadata();
  return metadata;
};

const knownOf = async (context: ProviderContext, issuer: string): Promise<Known> => {
  const { provider } = context;
  const found = known.get(provider);
  if (found && performance.now() - found.readAt < METADATA_MS) return found;
  try {
    const read = { metadata: await readMetadata(context, issuer), readAt: performance.now() };
    known.set(provider, read);
    return read;
  } catch (error) {
    // What it published an hour ago is better than nothing.
    if (found) return found;
    throw error;
  }
};

const algorithmOf = ({ token_endpoint_auth_signing_alg_values_supported: taken }: ServerMetadata): string =>
  taken?.includes('ES256') ? 'ES256' : 'RS256';

/** How the entry says that we authenticate (OpenID Connect Core section 9). */
const authenticationOf = async (
  { clientSecret, privateKey, keyId }: IdentityProvider,
  metadata: ServerMetadata,
): Promise<ClientAuth> => {
  if (privateKey) {
    const key = await importPKCS8(privateKey, algorithmOf(metadata));
    return PrivateKeyJwt(keyId ? { key, kid: keyId } : key);
  }
  if (!clientSecret) return None();
  const taken = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return taken.includes('client_secret_basic')
    ? ClientSecretBasic(clientSecret)
    : ClientSecretPost(clientSecret);
};

const verifyBySecret = async (idToken = '', { clientSecret = '' }: IdentityProvider): Promise<void> => {
  try {
    await jwtVerify(idToken, new TextEncoder().encode(clientSecret), { algorithms: ['HS256'] });
  } catch (cause) {
    throw new AppError('provider_failed', { cause });
  }
};

/** What discovery does not say of a provider. */
export interface ServerHabits {
  /** How we authenticate there, where the entry does not say. */
  authenticate?: ((provider: IdentityProvider) => Promise<ClientAuth>) | undefined;
  /** It signs ID Tokens with HS256 and the client secret (OpenID Connect Core section 10.1), whatever discovery says. */
  signsBySecret?: boolean | undefined;
}

interface OpenidServer {
  configuration: Configuration;
  metadata: ServerMetadata;
  /** Verifies the signature of an ID Token of which all else was verified. @throws AppError provider_failed */
  verifySignature(idToken: string | undefined): Promise<void>;
  /** Keeps the keys that were read meanwhile, where they verified a token; else forgets those that did not. */
  keepKeys(didVerify: boolean): void;
}

/**
 * The server of a provider with discovery (OpenID Connect Discovery 1.0), as a library speaks with it. The signature of
 * every ID Token is verified.
 */
export const openidServerOf = async (
  context: ProviderContext,
  issuer: string,
  { authenticate, signsBySecret = false }: ServerHabits = {},
): Promise<OpenidServer> => {
  const { provider, fetch } = context;
  const entry = await knownOf(context, issuer);
  const { metadata } = entry;
  const authentication = await (authenticate?.(provider) ?? authenticationOf(provider, metadata));
  const registration = signsBySecret ? { id_token_signed_response_alg: 'HS256' } : undefined;
  const configuration = new Configuration(metadata, provider.clientId, registration, authentication);
  configuration[customFetch] = fetch;
  if (!signsBySecret) enableNonRepudiationChecks(configuration);
  if (issuer.startsWith('http:')) allowInsecureRequests(configuration);
  const { keys } = entry;
  if (keys) setJwksCache(configuration, keys);
  return {
    configuration,
    metadata,
    verifySignature: async (idToken) => {
      // The library verifies the signatures of public keys alone.
      if (signsBySecret) await verifyBySecret(idToken, provider);
    },
    keepKeys: (didVerify) => {
      if (!didVerify) {
        delete entry.keys;
        return;
      }
      const read = getJwksCache(configuration);
      if (read && read.uat !== keys?.uat) entry.keys = { ...read, uat: read.uat - RENEWABLE_SECONDS };
    },
  };
};
