import { genericGrantRequest, type ServerMetadata } from 'openid-client';
import * as z from 'zod/mini';
import type { ProviderContext } from '../identity-provider/provider-kind.ts';
import { NO_CODE, reasonOf, tryCredentials } from './credentials-check.ts';
import { openidServerOf, type ServerHabits } from './openid-server.ts';

const KeySet = z.object({ keys: z.array(z.object({ kty: z.string(), use: z.optional(z.string()) })) });

const checkKeys = async (
  { fetch }: ProviderContext,
  { jwks_uri: uri }: ServerMetadata,
): Promise<string[]> => {
  if (!uri) return ['discovery names no jwks_uri: no ID Token could be verified'];
  try {
    const answer = await fetch(uri);
    if (answer.status !== 200) return [`${uri} answers ${answer.status}, not its keys`];
    const { keys } = KeySet.parse(await answer.json());
    return keys.some(({ use = 'sig' }) => use === 'sig') ? [] : [`${uri} has no key that signs`];
  } catch (error) {
    return [`${uri} has no keys that can be read: ${reasonOf(error)}`];
  }
};

const checkMetadata = ({
  authorization_endpoint: authorizes,
  token_endpoint: exchanges,
  code_challenge_methods_supported: challenges,
}: ServerMetadata): string[] => [
  ...(authorizes ? [] : ['discovery names no authorization_endpoint']),
  ...(exchanges ? [] : ['discovery names no token_endpoint']),
  ...(challenges && !challenges.includes('S256') ? ['its PKCE is without S256'] : []),
];

/** Asks the discovery and the keys of a provider, and whether it knows us: what is wrong, in sentences. */
export const checkOpenid = async (
  context: ProviderContext,
  issuer: string,
  habits: ServerHabits,
): Promise<string[]> => {
  let server: Awaited<ReturnType<typeof openidServerOf>>;
  try {
    server = await openidServerOf(context, issuer, habits);
  } catch (error) {
    return [`the discovery of ${issuer} cannot be used: ${reasonOf(error)}`];
  }
  const { configuration, metadata } = server;
  const { redirectUri: redirect_uri } = context;
  const missing = checkMetadata(metadata);
  const keys = habits.signsBySecret ? [] : await checkKeys(context, metadata);
  if (!metadata.token_endpoint) return [...missing, ...keys];
  const grant = { code: NO_CODE, redirect_uri, code_verifier: NO_CODE.padEnd(43, '-') };
  const known = await tryCredentials(() => genericGrantRequest(configuration, 'authorization_code', grant));
  return [...missing, ...keys, ...known];
};
