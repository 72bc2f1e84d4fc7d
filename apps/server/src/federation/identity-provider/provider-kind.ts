import type { Locale } from '@candela/contract';
import type { AppError } from '../../ground/errors.ts';
import type { IdentityProvider, ProviderField } from './identity-provider.ts';

/** Asks a provider, within 5 seconds and 256 KiB, and never an address that is not public but those of PROVIDER_HOSTS. */
export type ProviderFetch = (
  url: string,
  init?: {
    method?: string;
    headers?: Record<string, string> | Headers;
    body?: unknown;
    signal?: AbortSignal | null | undefined;
  },
) => Promise<Response>;

/** A provider, and the means to speak with it. */
export interface ProviderContext {
  provider: IdentityProvider;
  /** `<issuer>/sign-in/<id>/callback` of the brand at hand. */
  redirectUri: string;
  fetch: ProviderFetch;
}

/** One way through a provider. The values are random, and are used once. */
export interface AuthorizationRequest {
  state: string;
  nonce: string;
  codeVerifier: string;
  /** S256 of `codeVerifier` (RFC 7636 section 4.2). */
  codeChallenge: string;
  /** The language of the page. */
  locale: Locale;
  /** The person is to sign in there anew (`prompt=login`, `max_age`), where the provider can ask for that. */
  anew: boolean;
}

/** What came back from a provider, and what was sent there. */
export interface ProviderAnswer extends Omit<AuthorizationRequest, 'codeChallenge' | 'locale'> {
  /** The query of the callback, or its form. */
  parameters: URLSearchParams;
  /** When the browser was sent there. */
  startedAt: Date;
}

/** A person, as a provider proved them. */
export interface ProvenIdentity {
  /** What names the person at the provider, for ever and nobody else: a person is known by it alone. */
  subject: string;
  email?: string;
  /** The provider is the authority for the address: whoever has it there has it. */
  emailProven: boolean;
  /** Why the provider told no address, where it was away when it was asked: its person may have one there. */
  untold?: AppError;
  /** What the provider calls the person. */
  name?: string;
  /** Kept where the kind has `revoke`. */
  refreshToken?: string;
}

/**
 * What an event at a provider does to the way in of whom it names: it ends the sessions that came by it; closes it, too;
 * or stops mail to the address that it told. Undefined: it is noted.
 */
export type EventEffect = 'ends_sessions' | 'closes' | 'stops_mail';

/** What a provider tells by itself. */
export interface ToldByProvider {
  /** Unique at the provider. */
  jti: string;
  /** The client ids of the apps that it is for. */
  audience: readonly string[];
  /** When the provider wrote it. */
  at: Date;
  /** How it wants to be answered. */
  status: 200 | 202;
  events: readonly {
    /** As the provider calls it. */
    name: string;
    /** Whom the provider calls so; undefined where it is about nobody. */
    subject: string | undefined;
    effect: EventEffect | undefined;
    /** In the provider's words. */
    why?: string | undefined;
  }[];
}

/**
 * How a provider differs from others: a value and two functions. Each function throws AppError `provider_unavailable`
 * where the provider does not answer as it should, `provider_refused` where it or the person declined, `provider_failed`
 * where the answer proves nothing, and `provider_stale` where it was to sign the person in anew and did not.
 */
export interface ProviderKind {
  /** What people call it, where the entry does not say; a provider of no name has one in its entry. A language without a name takes the English one. */
  name: string | Readonly<Partial<Record<Locale, string>> & { en: string }> | undefined;
  /** The languages of its people: it stands first there. */
  languages?: readonly Locale[];
  /** The fields that an entry must have, and those that it may have besides. */
  fields: { required: readonly ProviderField[]; optional?: readonly ProviderField[] };
  /** Where the browser goes. */
  authorizationUrl(context: ProviderContext, request: AuthorizationRequest): Promise<URL>;
  /** Who came back: exchanges the code, and verifies all that the answer holds. */
  identify(context: ProviderContext, answer: ProviderAnswer): Promise<ProvenIdentity>;
  /** Gives back at the provider what it issued (RFC 7009), for a person who leaves or unlinks it. */
  revoke?(context: ProviderContext, refreshToken: string): Promise<void>;
  /**
   * Verifies what the provider tells by itself; `body` is that of its request, which anybody may send.
   * @throws AppError invalid_request where the provider did not write it for us
   */
  hear?(context: ProviderContext, body: string): Promise<ToldByProvider>;
  /** What is wrong with the entry, as far as the provider itself can be asked: `candela provider check`. */
  check?(context: ProviderContext): Promise<string[]>;
}
