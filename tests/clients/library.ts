import { createHash } from 'node:crypto';

export const FORM = 'application/x-www-form-urlencoded';

export const sha256 = (text: string) => createHash('sha256').update(text).digest();
export const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${id}:${secret}`, 'latin1').toString('base64')}`;
/** Form encoding as Java, Ruby and Go write it. */
export const encoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);

/** The values that a library has when it makes a request. */
export interface Facts {
  id: string;
  secret: string;
  redirectUri: string;
  state: string;
  nonce: string;
  verifier: string;
  challenge: string;
  code: string;
}

export interface TokenRequest {
  form: Record<string, string>;
  headers?: Record<string, string>;
}

/** A library, described by the requests that it sends, in its order and its encoding. */
export interface Library {
  /** The heading of its page in docs/integrating. */
  name: string;
  /** The redirect URI, if it differs from the first registered one. */
  redirectUri?: string;
  state?: string;
  authorize(facts: Facts): Record<string, string>;
  /** Token requests, sent in turn until one succeeds. */
  token: ((facts: Facts) => TokenRequest)[];
  userinfo?: { headers: Record<string, string> };
  /** The claims that the library reads from the id_token. */
  reads: string[];
}

export const pkce = ({ challenge }: Facts) => ({ code_challenge: challenge, code_challenge_method: 'S256' });
