import { compactVerify, createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import * as z from 'zod/mini';
import { AppError } from '../../ground/errors.ts';
import type { IdentityProvider } from '../identity-provider/identity-provider.ts';
import type { ProviderContext } from '../identity-provider/provider-kind.ts';

const KEYS_MS = 600_000;
/** A key that is not known is looked for at most so often: anybody may send what is signed by no key. */
const COOLDOWN_MS = 30_000;

type Keys = ReturnType<typeof createRemoteJWKSet>;

/** What this process read of the keys of providers. */
const known = new WeakMap<IdentityProvider, Keys>();

const keysOf = ({ provider, fetch }: ProviderContext, uri: string): JWTVerifyGetKey => {
  const found = known.get(provider);
  if (found) return found;
  const keys = createRemoteJWKSet(new URL(uri), {
    [customFetch]: fetch,
    cacheMaxAge: KEYS_MS,
    cooldownDuration: COOLDOWN_MS,
  });
  known.set(provider, keys);
  return keys;
};

/** No key of the provider signed it. */
const forged = [
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
];

const refuse = (why: string, cause?: unknown): AppError =>
  new AppError('invalid_request', { cause: new Error(why, { cause }) });

const readPayload = async (context: ProviderContext, uri: string, signed: string): Promise<unknown> => {
  try {
    const { payload } = await compactVerify(signed, keysOf(context, uri), { algorithms: ['RS256'] });
    return JSON.parse(new TextDecoder().decode(payload));
  } catch (error) {
    if (error instanceof SyntaxError || forged.some((kind) => error instanceof kind))
      throw refuse('no key of the provider signed it', error);
    throw new AppError('provider_unavailable', { cause: error });
  }
};

const Claims = z.object({
  iss: z.string(),
  aud: z.pipe(
    z.union([z.string(), z.array(z.string())]),
    z.transform((aud) => [aud].flat()),
  ),
  jti: z.string().check(z.minLength(1), z.maxLength(200)),
  /** In seconds. */
  iat: z.number(),
  events: z.unknown(),
});

/**
 * Verifies a JWT by which a provider tells events (RFC 8417, and what Apple makes of it). It tells what is past, and so
 * it does not run out: `exp` is not looked at.
 * @throws AppError invalid_request where it is not the provider's, or for somebody else; provider_unavailable where the
 *   keys cannot be read
 */
export const readSignedEvents = async (
  context: ProviderContext,
  signed: string,
  { keys, issuer }: { keys: string; issuer: string },
): Promise<z.infer<typeof Claims>> => {
  const { success, data: claims } = z.safeParse(Claims, await readPayload(context, keys, signed));
  if (!success) throw refuse('a claim is missing');
  if (claims.iss !== issuer) throw refuse(`the issuer is ${claims.iss}`);
  if (!claims.aud.includes(context.provider.clientId)) throw refuse(`it is for ${claims.aud}`);
  return claims;
};

/** @throws AppError invalid_request */
export const readEvent = <Shape extends z.ZodMiniType>(shape: Shape, events: unknown): z.infer<Shape> => {
  const read = z.safeParse(shape, events);
  if (!read.success) throw refuse('the events have another form', read.error);
  return read.data;
};
