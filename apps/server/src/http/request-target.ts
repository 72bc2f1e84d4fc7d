import type { IncomingMessage, RequestListener } from 'node:http';

const hostLines = ({ rawHeaders }: IncomingMessage): number => {
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') lines += 1;
  return lines;
};

/** Requests whose target is neither a path nor a web URL. */
const targetless = new WeakSet<IncomingMessage>();

/** An http or https URL with a host and without userinfo (RFC 9110 section 4.2.4). */
const webUrl = /^https?:\/\/[^/?#@\\]+(?:[/?#]|$)/i;

/** Whether the target of the request is a path or a web URL. Call it behind `takeWholeUrls`. */
export const hasWebTarget = (request: IncomingMessage): boolean => !targetless.has(request);

/**
 * Whether the request has one Host header, or none in HTTP/1.0 (RFC 9112 section 3.2). With two headers, a proxy in
 * front may have read the other one.
 */
export const namesOneHost = (request: IncomingMessage): boolean => {
  const lines = hostLines(request);
  return lines === 1 || (lines === 0 && request.httpVersion === '1.0');
};

/**
 * Turns a request target that is a whole URL into a path and a Host header: its host counts, whatever the Host header
 * says (RFC 9112 section 3.2.2). Otherwise the engine would build its URLs from the target. `hasWebTarget` is false for
 * any other target.
 */
export const takeWholeUrls =
  (handler: RequestListener): RequestListener =>
  (request, response) => {
    const target = request.url ?? '';
    if (!target.startsWith('/') && target !== '*') {
      const url = webUrl.test(target) ? URL.parse(target) : null;
      if (!url) targetless.add(request);
      request.headers.host = url?.host ?? '';
      request.url = url ? `${url.pathname}${url.search}` : '/';
    }
    return handler(request, response);
  };
