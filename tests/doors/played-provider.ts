import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { startHttpsServer } from '../support/https-server.ts';

/** A request as the routes of a played provider read it. */
export interface Asked {
  method: string;
  url: URL;
  query: URLSearchParams;
  /** The fields of a body of the type application/x-www-form-urlencoded. */
  form: URLSearchParams;
  headers: IncomingHttpHeaders;
}

export interface Reply {
  status?: number;
  /** `application/json` by default. */
  type?: string;
  headers?: Record<string, string>;
  /** Text as it is; anything else as JSON. */
  body?: unknown;
}

export type Route = (asked: Asked) => Reply | Promise<Reply>;

/** What a browser brings back from a provider: the address, and the fields of a form that was posted to it. */
export interface Returned {
  url: URL;
  form?: Record<string, string>;
}

export const redirectTo = (target: string, parameters: Record<string, string | undefined>): Reply => {
  const url = new URL(target);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value);
  return { status: 302, headers: { location: url.href }, body: '' };
};

/** OAuth 2.0 Form Post Response Mode: a page whose form submits itself. */
export const postTo = (target: string, fields: Record<string, string | undefined>): Reply => {
  const inputs = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined
      ? []
      : `<input type="hidden" name="${name}" value="${Buffer.from(value).toString('base64url')}"/>`,
  );
  return { type: 'text/html', body: `<form method="post" action="${target}">${inputs.join('')}</form>` };
};

const readForm = (page: string): Returned => {
  const [, action = ''] = /action="([^"]*)"/.exec(page) ?? [];
  const inputs = page.matchAll(/name="([^"]*)" value="([^"]*)"/g);
  const form = Object.fromEntries(
    [...inputs].map(([, name, value = '']) => [name, Buffer.from(value, 'base64url').toString()]),
  );
  return { url: new URL(action), form };
};

/** The codes that a played provider gives out: each is good once, for the request that it answers. */
export const createCodes = <Granted>() => {
  const codes = new Map<string, { granted: Granted; query: URLSearchParams }>();
  return {
    give: (query: URLSearchParams, granted: Granted, code = randomBytes(16).toString('hex')): string => {
      codes.set(code, { granted, query });
      return code;
    },
    spend: (code: string | null) => {
      const found = codes.get(code ?? '');
      codes.delete(code ?? '');
      return found;
    },
  };
};

/** RFC 7636 section 4.6, with S256. */
export const provesChallenge = (challenge: string | null, verifier: string | null): boolean =>
  createHash('sha256')
    .update(verifier ?? '')
    .digest('base64url') === challenge;

export type PlayedProvider = Awaited<ReturnType<typeof startPlayedProvider>>;

/**
 * A provider over https at localhost, with one function for each `METHOD /path`. `hosts` are those of its documentation:
 * who speaks with them reaches this server by `reach`.
 */
export const startPlayedProvider = async (hosts: readonly string[], routes: Record<string, Route>) => {
  const misbehaving = new Map<string, Route>();
  const asked: Asked[] = [];

  const server = await startHttpsServer(async (request, answer) => {
    const url = new URL(request.url ?? '', `https://${request.headers.host}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const { method = '', headers } = request;
    const one = { method, url, query: url.searchParams, form, headers };
    asked.push(one);
    const name = `${method} ${url.pathname}`;
    const route = misbehaving.get(name) ?? routes[name];
    const reply: Reply = route ? await route(one) : { status: 404, body: { error: 'not_found' } };
    const { status = 200, type = 'application/json', body = {} } = reply;
    answer.writeHead(status, { 'content-type': type, ...reply.headers });
    answer.end(typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body));
  });

  /** The address of this server for an address of the provider; others stay as they are. */
  const reach = (address: string | URL): string => {
    const url = new URL(address);
    if (hosts.includes(url.host)) url.host = server.host;
    return url.href;
  };

  return {
    host: server.host,
    reach,
    close: server.close,
    /** The requests that came for `METHOD /path`. */
    askedFor: (name: string): readonly Asked[] =>
      asked.filter(({ method, url }) => `${method} ${url.pathname}` === name),
    /** Puts another answer in the place of the documented one. */
    misbehaveAt: (name: string, route: Route) => void misbehaving.set(name, route),
    behave: () => misbehaving.clear(),
    /** Takes the browser of the person through the provider, and back with its answer. */
    visit: async (authorization: URL): Promise<Returned> => {
      if (!hosts.includes(authorization.host)) throw new Error(`${authorization.host} is somebody else`);
      const answer = await fetch(reach(authorization), { redirect: 'manual' });
      const location = answer.headers.get('location');
      const page = await answer.text();
      if (location) return { url: new URL(location) };
      if (answer.status !== 200) throw new Error(`the provider shows ${answer.status}: ${page}`);
      return readForm(page);
    },
  };
};
