import type { IncomingMessage, RequestListener } from 'node:http';

const hostLines = ({ rawHeaders }: IncomingMessage): number => {
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') lines += 1;
  return lines;
};

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
 * section 3.2.2). It becomes the usual path here, or the engine would make its URLs of it.
 */
export const takeWholeUrls =
  (handler: RequestListener): RequestListener =>
  (request, response) => {
    const target = request.url ?? '';
    if (!target.startsWith('/') && target !== '*') {
      const url = URL.parse(target);
      request.headers.host = url?.host ?? '';
      request.url = url ? `${url.pathname}${url.search}` : '/';
    }
    return handler(request, response);
  };
