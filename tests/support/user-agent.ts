import { request as httpRequest } from 'node:http';
import { CookieJar } from 'tough-cookie';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** The parsed body; whatever shape the test expects. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes and assert on them.
  json(): any;
}

export interface RequestOptions {
  json?: unknown;
  form?: Record<string, string>;
  /** Sent as it is, with the content type of `headers`. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
  /** Which process answers; in turn where it is left out. */
  port?: number;
}

export interface UserAgentOptions {
  origin: string;
  /** Where the processes listen that serve the origin. */
  ports: readonly number[];
  userAgent?: string;
  language?: string;
}

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export type UserAgent = ReturnType<typeof createUserAgent>;

/** A browser as HTTP sees it: cookies by their paths, the headers of a same-origin page, redirects followed by hand. */
export const createUserAgent = ({ origin, ports, userAgent = CHROME, language = 'en' }: UserAgentOptions) => {
  const jar = new CookieJar();
  const { host } = new URL(origin);
  let turn = 0;

  const request = async (method: string, target: string, options: RequestOptions = {}): Promise<Answer> => {
    const url = new URL(target, origin);
    const body =
      options.json !== undefined
        ? JSON.stringify(options.json)
        : options.form
          ? new URLSearchParams(options.form).toString()
          : options.raw;
    const cookie = await jar.getCookieString(url.href);
    const headers: Record<string, string> = {
      host,
      'user-agent': userAgent,
      'accept-language': language,
      accept: method === 'GET' ? 'text/html,application/json;q=0.9' : 'application/json',
      ...(method === 'GET' ? {} : { origin, 'sec-fetch-site': 'same-origin' }),
      ...(options.json !== undefined && { 'content-type': 'application/json' }),
      ...(options.form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      ...(cookie && { cookie }),
      ...options.headers,
    };
    for (const [name, value] of Object.entries(headers)) if (value === '') delete headers[name];
    const port = options.port ?? ports[turn++ % ports.length] ?? 0;
    const answer = await new Promise<Answer>((resolve, reject) => {
      const outgoing = httpRequest(
        { host: '127.0.0.1', port, method, path: `${url.pathname}${url.search}`, headers },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              body: text,
              json: () => JSON.parse(text),
            });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
    for (const value of [answer.headers['set-cookie'] ?? []].flat())
      await jar.setCookie(value, url.href, { ignoreError: true });
    return answer;
  };

  /** Follows redirects within the origin; the answer is the page, or the address outside that it leads to. */
  const navigate = async (target: string | URL): Promise<{ url: URL; answer?: Answer }> => {
    let url = new URL(target, origin);
    for (let hops = 0; hops < 20; hops += 1) {
      if (url.origin !== origin) return { url };
      const answer = await request('GET', url.href);
      const { location } = answer.headers;
      if (answer.status < 300 || answer.status >= 400 || typeof location !== 'string') return { url, answer };
      url = new URL(location, url);
    }
    throw new Error(`too many redirects, last to ${url.href}`);
  };

  return {
    jar,
    request,
    navigate,
    get: (target: string, options?: RequestOptions) => request('GET', target, options),
    post: (target: string, json: unknown = undefined, options: RequestOptions = {}) =>
      request('POST', target, { ...(json !== undefined && { json }), ...options }),
    delete: (target: string, options?: RequestOptions) => request('DELETE', target, options),
  };
};
