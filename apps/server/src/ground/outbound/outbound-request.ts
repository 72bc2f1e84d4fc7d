import { type LookupAddress, lookup as resolve } from 'node:dns';
import { addAbortListener } from 'node:events';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { traced, traceHeaders } from '../trace/trace.ts';
import { isPublicAddress } from './public-address.ts';

export interface OutboundRules {
  /** Hosts that may be at any address and port, as `parseHost` writes them. */
  privateHosts: readonly string[];
  /** Whether these hosts may be asked without TLS. */
  plainAtPrivateHosts?: boolean;
}

interface OutboundOptions {
  method?: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

/**
 * Asks a host that a client's metadata names, and follows no redirects. Resolves with the head of the answer; the
 * caller reads or destroys the body.
 * @throws Error where the URL does not lead to a web server of the Internet.
 */
export type OutboundRequest = (source: string, options: OutboundOptions) => Promise<IncomingMessage>;

const HTTPS_PORT = '443';

/**
 * Resolves a name to its public addresses. The connection goes to one of them, so that the name cannot lead
 * elsewhere between the check and the connection.
 */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) return callback(error, []);
    const addresses = found.filter(({ address }) => isPublicAddress(address));
    const [first] = addresses;
    if (!first) return callback(new Error(`${hostname} has no public address`), []);
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};

/** Writes a host (`name` or `name:port`) as URLs do, without the port of https; undefined where it is no host. */
export const parseHost = (value: string): string | undefined =>
  /^[^/?#@\\*\s]+$/.test(value) ? URL.parse(`https://${value}`)?.host : undefined;

const isNamed = ({ protocol, host, hostname, port }: URL, hosts: readonly string[]): boolean =>
  hosts.includes(host) || (protocol === 'http:' && !port && hosts.includes(`${hostname}:80`));

/**
 * What is wrong with a URI that the server is to call; undefined for https at the port of https and not at an
 * address of this machine or its network, and for the hosts that an operator named.
 */
export const faultOfOutboundUri = (
  uri: string,
  { privateHosts, plainAtPrivateHosts = false }: OutboundRules,
): string | undefined => {
  const url = URL.parse(uri);
  const isPrivate = url !== null && isNamed(url, privateHosts);
  const isPlain = url?.protocol === 'http:' && isPrivate && plainAtPrivateHosts;
  if ((url?.protocol !== 'https:' && !isPlain) || url?.username || url?.password)
    return 'not a plain https URL';
  if (isPrivate) return undefined;
  const host = url?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
  if (isIP(host) && !isPublicAddress(host)) return `${host} is not a public address`;
  if ((url?.port || HTTPS_PORT) !== HTTPS_PORT) return `port ${url?.port} is not that of https`;
  return undefined;
};

/** Makes the function that asks hosts: by https at public addresses, or as the operator allowed for a host by name. */
export const createOutboundRequest =
  (rules: OutboundRules): OutboundRequest =>
  async (source, { method = 'GET', headers, body, signal }) => {
    const fault = faultOfOutboundUri(source, rules);
    if (fault) throw new Error(fault);
    const url = new URL(source);

    const ask = async () => {
      const { promise, resolve: done, reject: fail } = Promise.withResolvers<IncomingMessage>();
      // A request whose socket is gone tells nothing of an end.
      const deadline = addAbortListener(signal, () => fail(signal.reason));
      const request = url.protocol === 'http:' ? requestPlain : requestSecure;
      request(
        url,
        {
          agent: false,
          method,
          signal,
          headers: {
            ...headers,
            ...traceHeaders(),
            'user-agent': 'Candela',
            ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          },
          ...(!isNamed(url, rules.privateHosts) && { lookup: lookupPublic }),
        },
        done,
      )
        .on('error', fail)
        // RFC 9110 section 7.8: nobody asked for another protocol.
        .on('upgrade', (_, socket) => {
          socket.destroy();
          fail(new Error(`${url.host} switches to another protocol`));
        })
        .end(body);
      try {
        return await promise;
      } finally {
        deadline[Symbol.dispose]();
      }
    };
    return traced(`${method} ${url.host}`, 'client', { 'server.address': url.host }, ask);
  };

/**
 * Reads the body of an answer and destroys the answer.
 * @throws Error where it is longer than `limitBytes`.
 */
export const readOutboundBody = async (answer: IncomingMessage, limitBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limitBytes) throw new Error(`more than ${limitBytes} bytes`);
      chunks.push(chunk);
    }
  } finally {
    answer.destroy();
  }
  return Buffer.concat(chunks);
};
