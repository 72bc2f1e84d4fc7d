import { AsyncLocalStorage } from 'node:async_hooks';
import type { Configuration, default as Provider } from 'oidc-provider';
import type { LogoutOutcome, LogoutSender } from '../backchannel-logout/logout-sender.ts';
import { isOutage } from '../db/outage.ts';
import { type OutboundRequest, readOutboundBody } from '../outbound/outbound-request.ts';

type EngineFetch = NonNullable<Configuration['fetch']>;

/** What the engine's clients can do beyond its types; a test keeps watch over it. */
interface ClientWithLogout {
  backchannelLogoutUri?: string;
  /** Makes a logout token and posts it by the configured `fetch`. */
  backchannelLogout(accountId: string, sid: string): Promise<void>;
}

/** Of what the engine reads from clients' hosts: their keys and the like. */
const LIMIT_BYTES = 256 * 1024;
/** RFC 9110 section 15.5.9 and RFC 6585 section 4: not now, but later. */
const NOT_NOW = new Set([408, 429]);

/** For so long an address that failed is not asked again: anybody's signed request makes the engine ask. */
const FAILED_MS = 10_000;

/** The try that the outbox makes; without one, whatever the engine wants to send is none. */
const tries = new AsyncLocalStorage<AbortSignal>();

const isLogout = (body: unknown): body is URLSearchParams =>
  body instanceof URLSearchParams && body.has('logout_token');

/** Nothing of the answer but its status matters (OpenID Connect Back-Channel Logout section 2.8). */
const postLogout = async (request: OutboundRequest, uri: string, body: string, signal: AbortSignal) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await request(uri, { method: 'POST', headers, body, signal });
  answer.destroy();
  return new Response(null, { status: answer.statusCode ?? 0 });
};

/**
 * The engine's `fetch`. Its end session endpoint sends logouts of its own accord and waits for them: these
 * are answered at once and go nowhere, since the outbox has them from the statement that ends the session.
 */
export const createEngineFetch = (request: OutboundRequest): EngineFetch => {
  const askAgainAt = new Map<string, number>();
  const ask = async (uri: string, headers: RequestInit['headers'], signal: AbortSignal) => {
    const answer = await request(uri, { headers: Object.fromEntries(new Headers(headers)), signal });
    return { answer, content: await readOutboundBody(answer, LIMIT_BYTES) };
  };
  const read = async (uri: string, headers: RequestInit['headers'], signal: AbortSignal) => {
    if ((askAgainAt.get(uri) ?? 0) > Date.now()) throw new Error(`${uri} failed a moment ago`);
    askAgainAt.delete(uri);
    const found = await ask(uri, headers, signal).catch((error: unknown) => {
      askAgainAt.set(uri, Date.now() + FAILED_MS);
      throw error;
    });
    if (found.answer.statusCode !== 200) askAgainAt.set(uri, Date.now() + FAILED_MS);
    return found;
  };
  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const uri = input instanceof Request ? input.url : String(input);
    if (isLogout(body)) {
      const ofTry = tries.getStore();
      return ofTry ? postLogout(request, uri, body.toString(), ofTry) : new Response(null, { status: 204 });
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

/** The status that a client answered, of an error that the engine made of it; 0 where it answered nothing. */
const statusOf = (error: unknown): number =>
  (error as { response?: { status?: number } } | undefined)?.response?.status ?? 0;

const isRefusal = (status: number) => status >= 400 && status < 500 && !NOT_NOW.has(status);

/** Sends logout tokens as the brands' engines make them: signed, with the subject and session that the client knows. */
export const createLogoutSender = (providers: ReadonlyMap<string, { provider: Provider }>): LogoutSender => ({
  send: async ({ brand, clientId, accountId, sid }, signal): Promise<LogoutOutcome> => {
    const found = await providers
      .get(brand)
      ?.provider.Client.find(clientId)
      .catch((error: unknown) => {
        if (isOutage(error)) return 'untried' as const;
        throw error;
      });
    if (found === 'untried') return found;
    const client = found as unknown as ClientWithLogout | undefined;
    if (!client?.backchannelLogoutUri) return 'unwanted';
    try {
      await tries.run(signal, () => client.backchannelLogout(accountId, sid));
      return 'told';
    } catch (error) {
      const status = statusOf(error);
      if (isRefusal(status)) return { refused: status };
      throw error;
    }
  },
});
