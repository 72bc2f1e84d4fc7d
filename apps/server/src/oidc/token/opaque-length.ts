import type { KoaContextWithOIDC } from 'oidc-provider';

/** The engine writes so many bits in a character. */
const BITS_PER_CHARACTER = 6;
const BITS = 256;
const CLIENT_CREDENTIALS_BITS = 264;

/**
 * How many random bits an opaque token has. Tokens of client credentials are a character longer than all others, so
 * that a look-up of any other token need not search among them.
 */
export const bitsOfOpaqueRandomness = (_ctx: KoaContextWithOIDC, { kind }: { kind?: string }): number =>
  kind === 'ClientCredentials' ? CLIENT_CREDENTIALS_BITS : BITS;

/** Whether an opaque token is as long as those of client credentials. */
export const isAsLongAsClientCredentials = (token: string): boolean =>
  token.length === CLIENT_CREDENTIALS_BITS / BITS_PER_CHARACTER;
