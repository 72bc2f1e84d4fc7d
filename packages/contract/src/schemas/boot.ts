import type { Locale } from '../languages.ts';
import type { PasswordProfile } from '../rules/password.ts';

/** The reason that the error page shows. */
export type PageErrorCode =
  | 'not_found'
  | 'invalid_request'
  | 'unknown_client'
  | 'redirect_uri_mismatch'
  | 'interaction_expired'
  | 'interaction_elsewhere'
  | 'interaction_finished'
  | 'sign_in_failed'
  /** The answer of an identity provider that nobody waits for. */
  | 'provider_expired'
  | 'misdirected_request'
  | 'rate_limited'
  | 'unavailable'
  | 'internal_error';

export interface PageError {
  code: PageErrorCode;
  status: number;
  /** The reference that people quote to support, and that the log has. */
  requestId: string;
  /** `error` and `error_description` of RFC 6749, for developers. */
  oauthError?: string;
  oauthErrorDescription?: string;
  /** Seconds to wait; the same as the Retry-After header. */
  retryAfterSeconds?: number;
  /** Where the person can start again: a registered URI of the app, never one from the request. */
  startAgain?: { name: string; uri: string };
}

/** Value of `outcome` in the address of the page that connects a device. */
export type DeviceOutcome = 'connected' | 'denied';

/** The data that the server writes into every page (`<script id="boot">`): the first paint needs no request. */
export interface Boot {
  /** `logo` is a same-origin path; `support` an e-mail address or an https URL. */
  brand: { id: string; name: string; tagline?: Record<Locale, string>; logo?: string; support?: string };
  /**
   * The brand's own words, by key of the catalogue. The page's language has its words here. Another language has the
   * same-origin path of its words.
   */
  texts?: Partial<Record<Locale, string | Readonly<Record<string, string>>>>;
  locale: Locale;
  passwordProfile: PasswordProfile;
  /** The address that the page asks for first: a script in its head does, before the portal's have loaded. */
  first?: string;
  error?: PageError;
  /** Present on the page that connects a device: the token that its form sends back. */
  deviceForm?: { xsrf: string };
}
