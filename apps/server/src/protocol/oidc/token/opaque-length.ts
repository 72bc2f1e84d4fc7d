import type { KoaContextWithOIDC } from 'oidc-provider';

/** How many bits a character of an opaque token holds. */
const BITS_PER_CHARACTER = 6;
const BITS = 256;
const CLIENT_CREDENTIALS_BITS = 264;

/**
 * How many random bits an opaque token has. Tokens of client credentials are one character longer than all other
 * tokens: by the length a look-up knows where to search.
 */
export const bitsOfOpaqueRandomness = (_ctx: KoaContextWithOIDC, { kind }: { kind?: string }): number =>
  kind === 'ClientCredentials' ? CLIENT_CREDENTIALS_BITS : BITS;

/** Whether an opaque token is as long as those of client credentials. */
export const isAsLongAsClientCredentials = (token: string): boolean =>
  token.length === CLIENT_CREDENTIALS_BITS / BITS_PER_CHARACTER;
