import { type OutboundRequest, readOutboundBody } from '../../ground/outbound/outbound-request.ts';
import type { ProviderFetch } from './provider-kind.ts';

/** A provider that takes longer is away: the person has other ways. */
const TIMEOUT_MS = 5_000;
/** Discovery documents and key sets are some kilobytes. */
const BODY_LIMIT_BYTES = 256 * 1024;

const textOf = (body: unknown): string | undefined => {
  if (body === null || body === undefined) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body);
  throw new TypeError('a provider is sent text alone');
};

/** Makes the `fetch` of libraries that speak with providers. It follows no redirect. */
export const createProviderFetch =
  (ask: OutboundRequest): ProviderFetch =>
  async (url, { method = 'GET', headers, body, signal } = {}) => {
    if (method !== 'GET' && method !== 'POST') throw new TypeError(`a provider is not asked by ${method}`);
    const late = AbortSignal.timeout(TIMEOUT_MS);
    const sent = textOf(body);
    const answer = await ask(url, {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      ...(sent !== undefined && { body: sent }),
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
    const { statusCode: status = 502, headersDistinct } = answer;
    const bytes = await readOutboundBody(answer, BODY_LIMIT_BYTES);
    const isEmpty = [204, 205, 304].includes(status);
    return new Response(isEmpty ? null : new Uint8Array(bytes), {
      status,
      headers: Object.entries(headersDistinct).flatMap(([name, values]) =>
        (values ?? []).map((value): [string, string] => [name, value]),
      ),
    });
  };
