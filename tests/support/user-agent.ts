import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { CookieJar } from 'tough-cookie';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** The body as it came. */
  bytes?: Buffer;
  /** The parsed body, of the shape that the test expects. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes and assert on them.
  json(): any;
}

export interface RequestOptions {
  json?: unknown;
  form?: Record<string, string>;
  /** The unencoded body, with the content type of `headers`. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
  /** The process that answers; by default each in turn. */
  port?: number;
}

export interface UserAgentOptions {
  origin: string;
  /** The ports of the processes that serve the origin. */
  ports: readonly number[];
  /** The ports speak TLS. */
  tls?: boolean | undefined;
  userAgent?: string;
  language?: string;
  /** Sent with every request. */
  headers?: Record<string, string>;
  /** Sends a request, again if that may help. */
  retry?: (send: () => Promise<Answer>) => Promise<Answer>;
}

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Where a navigation ended; outside of the origin there is no answer. */
export interface Arrival {
  url: URL;
  answer?: Answer;
  /** Whether a form was posted there; its fields stand in the address. */
  posted?: boolean;
}

const attribute = (tag: string, name: string): string =>
  (new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '').replaceAll('&amp;', '&');

/** The first form of a page: its action and its hidden fields. */
const formOf = (html: string, base: URL): { action: URL; fields: Record<string, string> } => {
  const [form] = /<form[\s\S]*?<\/form>/.exec(html) ?? [];
  if (!form) throw new Error(`no form at ${base.href}: ${html.slice(0, 500)}`);
  const inputs = [...form.matchAll(/<input type="hidden"[^>]*>/g)].map(
    ([tag]) => [attribute(tag, 'name'), attribute(tag, 'value')] as const,
  );
  return { action: new URL(attribute(form, 'action'), base), fields: Object.fromEntries(inputs) };
};

export type UserAgent = ReturnType<typeof createUserAgent>;

/** A browser at the level of HTTP: cookies by path, the headers of a same-origin page, redirects followed by hand. */
export const createUserAgent = (agent: UserAgentOptions) => {
  const { origin, ports, userAgent = CHROME, language = 'en', retry = (send) => send() } = agent;
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
      ...agent.headers,
      ...options.headers,
    };
    for (const [name, value] of Object.entries(headers)) if (value === '') delete headers[name];
    const send = () =>
      new Promise<Answer>((resolve, reject) => {
        const port = options.port ?? ports[turn++ % ports.length] ?? 0;
        const outgoing = (agent.tls ? httpsRequest : httpRequest)(
          {
            host: '127.0.0.1',
            servername: 'localhost',
            port,
            method,
            path: `${url.pathname}${url.search}`,
            headers,
          },
          (incoming) => {
            const chunks: Buffer[] = [];
            incoming.on('data', (chunk) => chunks.push(chunk));
            incoming.on('error', reject);
            incoming.on('end', () => {
              const bytes = Buffer.concat(chunks);
              const text = bytes.toString('utf8');
              resolve({
                status: incoming.statusCode ?? 0,
                headers: incoming.headers,
                body: text,
                bytes,
                json: () => JSON.parse(text),
              });
            });
          },
        );
        outgoing.on('error', reject);
        outgoing.end(body);
      });
    const answer = await retry(send);
    for (const value of [answer.headers['set-cookie'] ?? []].flat())
      await jar.setCookie(value, url.href, { ignoreError: true });
    return answer;
  };

  /** Our pages send no referrer, so a browser sends `Origin: null` with their forms. */
  const postForm = (form: Record<string, string>, url: URL) =>
    request('POST', url.href, { form, headers: { origin: 'null', accept: 'text/html' } });

  /**
   * Follows redirects within the origin, and forms that submit themselves; returns the page, or the address outside of
   * the origin.
   */
  const follow = async (first: Answer, from: URL): Promise<Arrival> => {
    let answer = first;
    let url = from;
    for (let hops = 0; hops < 20; hops += 1) {
      const { location } = answer.headers;
      if (answer.status >= 300 && answer.status < 400 && typeof location === 'string') {
        url = new URL(location, url);
        if (url.origin !== origin) return { url };
        answer = await request('GET', url.href);
      } else if (answer.body.includes('document.forms[0].submit()')) {
        const form = formOf(answer.body, url);
        url = form.action;
        if (url.origin !== origin) {
          for (const [name, value] of Object.entries(form.fields)) url.searchParams.set(name, value);
          return { url, posted: true };
        }
        answer = await postForm(form.fields, url);
      } else {
        return { url, answer };
      }
    }
    throw new Error(`too many redirects, last to ${url.href}`);
  };

  const navigate = async (target: string | URL): Promise<Arrival> => {
    const url = new URL(target, origin);
    return url.origin === origin ? follow(await request('GET', url.href), url) : { url };
  };

  /** Submits the form of a page by the button that has `fields`. */
  const submit = async ({ url, answer }: Arrival, fields: Record<string, string> = {}): Promise<Arrival> => {
    const form = formOf(answer?.body ?? '', url);
    return follow(await postForm({ ...form.fields, ...fields }, form.action), form.action);
  };

  return {
    jar,
    request,
    navigate,
    submit,
    get: (target: string, options?: RequestOptions) => request('GET', target, options),
    post: (target: string, json: unknown = undefined, options: RequestOptions = {}) =>
      request('POST', target, { ...(json !== undefined && { json }), ...options }),
    patch: (target: string, json: unknown) => request('PATCH', target, { json }),
    delete: (target: string, options?: RequestOptions) => request('DELETE', target, options),
  };
};
