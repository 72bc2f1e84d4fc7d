import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTVerifyGetKey,
} from 'jose';
import { type OutboundRequest, readOutboundBody } from '../../../ground/outbound/outbound-request.ts';

/** Google publishes a few keys of a kilobyte or two. */
const LIMIT_BYTES = 64 * 1024;
const TIMEOUT_MS = 4_000;
/** For so long keys are used without a look at the address. */
const CACHE_MS = 10 * 60_000;
/** A key that is not among those known is looked for again after so long at the earliest. */
const COOLDOWN_MS = 30_000;

/** The keys could not be fetched: whether an assertion is genuine is not known. */
export class KeysUnreachable extends Error {}

/** Key sets by their address, shared by all brands of a process. */
export interface GoogleKeys {
  /** @throws KeysUnreachable, besides what `jose` throws where no key fits. */
  of(uri: string): JWTVerifyGetKey;
}

const fetchBy =
  (request: OutboundRequest): FetchImplementation =>
  async (uri, { headers, signal }) => {
    const answer = await request(uri, { headers: Object.fromEntries(new Headers(headers)), signal });
    const body = await readOutboundBody(answer, LIMIT_BYTES);
    return new Response(new Uint8Array(body), { status: answer.statusCode ?? 0 });
  };

const isOfToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported;

/** Fetches key sets by the server's rules for hosts, and keeps them; an unknown key has a set fetched anew. */
export const createGoogleKeys = (outbound: OutboundRequest): GoogleKeys => {
  const sets = new Map<string, JWTVerifyGetKey>();
  const create = (uri: string): JWTVerifyGetKey => {
    const find = createRemoteJWKSet(new URL(uri), {
      [customFetch]: fetchBy(outbound),
      timeoutDuration: TIMEOUT_MS,
      cacheMaxAge: CACHE_MS,
      cooldownDuration: COOLDOWN_MS,
    });
    return (header, token) =>
      find(header, token).catch((error: unknown) => {
        throw isOfToken(error) ? error : new KeysUnreachable(`no keys of ${uri}`, { cause: error });
      });
  };
  return {
    of: (uri) => {
      const found = sets.get(uri) ?? create(uri);
      sets.set(uri, found);
      return found;
    },
  };
};
