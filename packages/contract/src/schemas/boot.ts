import type { Locale } from '../languages.ts';
import type { PasswordProfile } from '../rules/password.ts';

/** What the error page says, beyond the codes of OAuth. */
export type PageErrorCode =
  | 'not_found'
  | 'invalid_request'
  | 'unknown_client'
  | 'redirect_uri_mismatch'
  | 'interaction_expired'
  | 'interaction_elsewhere'
  | 'interaction_finished'
  | 'sign_in_failed'
  | 'misdirected_request'
  | 'rate_limited'
  | 'unavailable'
  | 'internal_error';

export interface PageError {
  code: PageErrorCode;
  status: number;
  /** The reference to quote to support; also in the log. */
  requestId: string;
  /** `error` and `error_description` of RFC 6749, for developers. */
  oauthError?: string;
  oauthErrorDescription?: string;
  /** Seconds to wait; the same as the Retry-After header. */
  retryAfterSeconds?: number;
  /** Where a person can start again: the app's own registered URI, never one taken from the request. */
  startAgain?: { name: string; uri: string };
}

/** What `outcome` says in the address of the page that connects a device. */
export type DeviceOutcome = 'connected' | 'denied';

/** What the server writes into every page (`<script type="application/json" id="boot">`) so that the SPA asks nothing before its first paint. */
export interface Boot {
  /** `logo` is a same-origin path; `support` an e-mail address or an https URL. */
  brand: { id: string; name: string; tagline?: Record<Locale, string>; logo?: string; support?: string };
  /**
   * The brand's own words in place of those of the catalogue, by key: in the page's language they are here, in
   * others at a same-origin path.
   */
  texts?: Partial<Record<Locale, string | Readonly<Record<string, string>>>>;
  locale: Locale;
  passwordProfile: PasswordProfile;
  error?: PageError;
  /** On the page that connects a device: the token that its form sends back. */
  deviceForm?: { xsrf: string };
}
