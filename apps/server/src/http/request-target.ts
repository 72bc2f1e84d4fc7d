import type { IncomingMessage, RequestListener } from 'node:http';

const hostLines = ({ rawHeaders }: IncomingMessage): number => {
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') lines += 1;
  return lines;
};

/** Requests whose target is no path, and no URL that a web server has. */
const targetless = new WeakSet<IncomingMessage>();

/** A URL of http or https with a host and without a name and password before it (RFC 9110 section 4.2.4). */
const webUrl = /^https?:\/\/[^/?#@\\]+(?:[/?#]|$)/i;

/**
 * Whether the request is for something here: its target is a path or the URL of a web page.
 * Call it behind `takeWholeUrls`.
 */
export const hasWebTarget = (request: IncomingMessage): boolean => !targetless.has(request);

/**
 * Whether the request names its host as it must: once, or not at all in HTTP/1.0 (RFC 9112 section 3.2). Of
 * two hosts a proxy in front may have read the other one.
 */
export const namesOneHost = (request: IncomingMessage): boolean => {
  const lines = hostLines(request);
  return lines === 1 || (lines === 0 && request.httpVersion === '1.0');
};

/**
 * A request target may be a whole URL, whose host counts then, whatever the Host header says (RFC 9112
 * section 3.2.2). It becomes the usual path here, or the engine would make its URLs of it. Of any other target
 * `hasWebTarget` is false.
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
