import { AsyncLocalStorage } from 'node:async_hooks';
import type { Configuration } from 'oidc-provider';
import { type OutboundRequest, readOutboundBody } from '../../ground/outbound/outbound-request.ts';

type EngineFetch = NonNullable<Configuration['fetch']>;

/** What the engine reads from the hosts of clients is their keys and the like. */
const LIMIT_BYTES = 256 * 1024;

/** For so long an address that failed is not asked again: anybody's signed request makes the engine ask. */
const FAILED_MS = 10_000;

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

/** Reads an address of a client's host, unless it failed a moment ago. */
const createReader = (request: OutboundRequest) => {
  const askAgainAt = new Map<string, number>();
  const ask = async (uri: string, headers: RequestInit['headers'], signal: AbortSignal) => {
    const answer = await request(uri, { headers: Object.fromEntries(new Headers(headers)), signal });
    return { answer, content: await readOutboundBody(answer, LIMIT_BYTES) };
  };
  return async (uri: string, headers: RequestInit['headers'], signal: AbortSignal) => {
    if ((askAgainAt.get(uri) ?? 0) > performance.now()) throw new Error(`${uri} failed a moment ago`);
    askAgainAt.delete(uri);
    const found = await ask(uri, headers, signal).catch((error: unknown) => {
      askAgainAt.set(uri, performance.now() + FAILED_MS);
      throw error;
    });
    if (found.answer.statusCode !== 200) askAgainAt.set(uri, performance.now() + FAILED_MS);
    return found;
  };
};

/**
 * The engine's `fetch`. Its end session endpoint sends logouts of its own accord and waits for them: these
 * are answered at once and go nowhere, since the outbox has them from the statement that ends the session.
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
    const { answer, content } = await read(uri, headers, signal);
    return new Response(new Uint8Array(content), {
      status: answer.statusCode ?? 0,
      headers: Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      ),
    });
  };
};
