import { AsyncLocalStorage } from 'node:async_hooks';
import type { Configuration } from 'oidc-provider';
import { type OutboundRequest, readOutboundBody } from '../../ground/outbound/outbound-request.ts';

type EngineFetch = NonNullable<Configuration['fetch']>;

/** What the engine reads from the hosts of clients is their keys and the like. */
const LIMIT_BYTES = 256 * 1024;

/** For so long an address that failed is not asked again: anybody's signed request makes the engine ask. */
const FAILED_MS = 10_000;

/** For so long the last answer of an address counts while its host fails, and so many bytes of them are kept. */
const KEPT_MS = 24 * 3_600_000;
const KEPT_BYTES = 16 * 1024 * 1024;

/** The attempt of the outbox to send a logout, while it is under way. */
const attempts = new AsyncLocalStorage<AbortSignal>();

/** Runs an attempt to send a logout: the engine's `fetch` sends logouts inside one only, until `signal` aborts it. */
export const attemptLogout = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  attempts.run(signal, work);

const isLogout = (body: unknown): body is URLSearchParams =>
  body instanceof URLSearchParams && body.has('logout_token');

/** Nothing of the answer but its status matters (OpenID Connect Back-Channel Logout section 2.8). */
const postLogout = async (request: OutboundRequest, uri: string, body: string, signal: AbortSignal) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await request(uri, { method: 'POST', headers, body, signal });
  answer.destroy();
  return new Response(null, { status: answer.statusCode ?? 0 });
};

/** Whether it is a JWK Set (RFC 7517 section 5). It may be empty: a client takes its last key out. */
const isKeySet = (content: Uint8Array): boolean => {
  try {
    return Array.isArray(JSON.parse(new TextDecoder().decode(content))?.keys);
  } catch {
    return false;
  }
};

/** The keys that a client's host answered. */
interface Kept {
  content: Uint8Array<ArrayBuffer>;
  /** By `performance.now()`. */
  at: number;
}

/** Keeps the last keys of each address, the latest up to a number of bytes. */
const createShelf = () => {
  const shelf = new Map<string, Kept>();
  let bytes = 0;
  const take = (uri: string) => {
    const kept = shelf.get(uri);
    if (!shelf.delete(uri)) return undefined;
    bytes -= kept?.content.length ?? 0;
    return kept;
  };
  return {
    find: (uri: string): Kept | undefined => {
      const kept = shelf.get(uri);
      return kept && performance.now() - kept.at < KEPT_MS ? kept : undefined;
    },
    put: (uri: string, kept: Kept) => {
      take(uri);
      shelf.set(uri, kept);
      bytes += kept.content.length;
      for (const eldest of shelf.keys()) {
        if (bytes <= KEPT_BYTES) return;
        take(eldest);
      }
    },
  };
};

/**
 * Reads the keys at an address of a client's host. Where the host fails, its last keys count on: the engine asks anew from time
 * to time, and a client whose host is away meanwhile goes on.
 * @throws what went wrong where there are none.
 */
const createReader = (request: OutboundRequest) => {
  const askAgainAt = new Map<string, number>();
  const shelf = createShelf();
  const ask = async (uri: string, headers: RequestInit['headers'], signal: AbortSignal): Promise<Kept> => {
    const answer = await request(uri, { headers: Object.fromEntries(new Headers(headers)), signal });
    const content = new Uint8Array(await readOutboundBody(answer, LIMIT_BYTES));
    if (answer.statusCode !== 200) throw new Error(`${uri} answered ${answer.statusCode}`);
    if (!isKeySet(content)) throw new Error(`${uri} answered no set of keys`);
    return { content, at: performance.now() };
  };
  const askOnce = async (uri: string, headers: RequestInit['headers'], signal: AbortSignal) => {
    if ((askAgainAt.get(uri) ?? 0) > performance.now()) throw new Error(`${uri} failed a moment ago`);
    askAgainAt.delete(uri);
    try {
      const found = await ask(uri, headers, signal);
      shelf.put(uri, found);
      return found;
    } catch (error) {
      askAgainAt.set(uri, performance.now() + FAILED_MS);
      throw error;
    }
  };
  return (uri: string, headers: RequestInit['headers'], signal: AbortSignal): Promise<Kept> =>
    askOnce(uri, headers, signal).catch((error: unknown) => {
      const kept = shelf.find(uri);
      if (!kept) throw error;
      return kept;
    });
};

/**
 * The engine's `fetch`. Its end session endpoint sends logouts of its own accord and waits for them: these
 * are answered at once and go nowhere, since the outbox has them from the statement that ends the session.
 *
 * Keys come without the headers of their host. For as long as these let others keep the keys, the engine would not ask
 * for one that a client has just begun to sign with; without them it asks a minute after the last time.
 */
export const createEngineFetch = (request: OutboundRequest): EngineFetch => {
  const read = createReader(request);
  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const uri = input instanceof Request ? input.url : String(input);
    if (isLogout(body)) {
      const attempt = attempts.getStore();
      return attempt
        ? postLogout(request, uri, body.toString(), attempt)
        : new Response(null, { status: 204 });
    }
    if (method !== 'GET' || !signal) throw new Error(`the engine has no use for ${method} ${uri}`);
    const { content } = await read(uri, headers, signal);
    return new Response(content, { status: 200 });
  };
};
