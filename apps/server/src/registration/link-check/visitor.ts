import { type OutboundRequest, readOutboundBody } from '../../ground/outbound/outbound-request.ts';

/** How long one request of a check may take, in milliseconds: no platform waits as long. */
export const PATIENCE_MS = 5_000;
const MOST_BYTES = 500_000;
const HOPS = 10;

export interface Answer {
  status: number;
  /** Where it leads; undefined where it leads nowhere. */
  location: URL | undefined;
  text: string;
  /** The members of a body of JSON; none of any other. */
  body: Readonly<Record<string, unknown>>;
  /** How long it took, in milliseconds. */
  ms: number;
}

/** A page or an address outside of the server, where a browser arrived. */
export interface Arrival {
  url: URL;
  /** undefined: outside of the server, which the browser does not ask. */
  answer: Answer | undefined;
}

/** No answer came. */
export class Unanswered extends Error {
  /** Whether the server had its time. */
  readonly isLate: boolean;

  constructor(cause: unknown) {
    const { name = '', code } = cause as { name?: string; code?: unknown };
    super(typeof code === 'string' ? code : 'no answer', { cause });
    this.isLate = name === 'TimeoutError' || name === 'AbortError';
  }
}

export interface Visitor {
  /** Sends one request. @throws Unanswered */
  ask(path: string, options?: AskOptions): Promise<Answer>;
  /** Follows redirects within the server, with cookies. */
  visit(target: string): Promise<Arrival>;
  /** Posts JSON as a page of the server does, with cookies. */
  submit(path: string, json: unknown): Promise<Answer>;
}

interface AskOptions {
  form?: Readonly<Record<string, string>>;
  json?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

const membersOf = (text: string): Answer['body'] => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};

const createCookies = () => {
  const cookies = new Map<string, string>();
  return {
    note: (lines: readonly string[] = []) => {
      for (const line of lines) {
        const [pair = ''] = line.split(';');
        const name = pair.slice(0, pair.indexOf('='));
        const value = pair.slice(name.length + 1);
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
    },
    header: (): Record<string, string> =>
      cookies.size === 0 ? {} : { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
  };
};

/**
 * One who speaks HTTP with the server at `origin`: a platform, or the browser of a person.
 * @param deadline aborts when the check has taken too long
 */
export const createVisitor = (origin: string, request: OutboundRequest, deadline: AbortSignal): Visitor => {
  const cookies = createCookies();

  const ask: Visitor['ask'] = async (path, { form, json, headers = {}, signal } = {}) => {
    const url = new URL(path, origin);
    const started = performance.now();
    const body = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json);
    const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
    const signals = [deadline, AbortSignal.timeout(PATIENCE_MS), ...(signal ? [signal] : [])];
    const send = async () => {
      const incoming = await request(url.href, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...(body !== undefined && { 'content-type': type }), ...headers },
        ...(body !== undefined && { body }),
        signal: AbortSignal.any(signals),
      });
      return { incoming, text: (await readOutboundBody(incoming, MOST_BYTES)).toString('utf8') };
    };
    const { incoming, text } = await send().catch((error: unknown) => {
      throw new Unanswered(error);
    });
    cookies.note(incoming.headers['set-cookie']);
    const { location } = incoming.headers;
    return {
      status: incoming.statusCode ?? 0,
      location: location === undefined ? undefined : new URL(location, url),
      text,
      body: membersOf(text),
      ms: performance.now() - started,
    };
  };

  const asBrowser = () => ({ accept: 'text/html', ...cookies.header() });

  const visit: Visitor['visit'] = async (target) => {
    let url = new URL(target, origin);
    for (let hops = 0; hops < HOPS && url.origin === origin; hops += 1) {
      const answer = await ask(url.href, { headers: asBrowser() });
      if (!answer.location) return { url, answer };
      url = answer.location;
    }
    return { url, answer: undefined };
  };

  return {
    ask,
    visit,
    submit: (path, json) =>
      ask(path, {
        json,
        headers: { ...cookies.header(), origin, 'sec-fetch-site': 'same-origin', accept: 'application/json' },
      }),
  };
};
