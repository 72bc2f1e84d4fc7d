import { type LookupAddress, lookup as resolve } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** Fetches the bytes behind a `logo_uri`. */
export type LogoDownload = (source: string, signal: AbortSignal) => Promise<Buffer>;

const LIMIT_BYTES = 1024 * 1024;
const TIMEOUT_MS = 10_000;
const HTTPS_PORT = '443';

/**
 * Resolves a name to its public addresses alone. The connection goes to one of these, so that a name
 * cannot lead elsewhere between the check and the use.
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

/** @throws Error where the URL leads to something other than a web server of the Internet. */
const requirePublic = (url: URL): void => {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) && !isPublicAddress(host)) throw new Error(`${host} is not a public address`);
  if ((url.port || HTTPS_PORT) !== HTTPS_PORT) throw new Error(`port ${url.port} is not that of https`);
};

const readBody = async (answer: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LIMIT_BYTES) throw new Error(`more than ${LIMIT_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/**
 * Downloads from the Internet by https: no redirects, at most 1 MiB and 10 seconds. Hosts (`name` or
 * `name:port`) in `privateHosts` may be at any address and port.
 */
export const createLogoDownload =
  ({ privateHosts }: { privateHosts: readonly string[] }): LogoDownload =>
  async (source, signal) => {
    const url = new URL(source);
    if (url.protocol !== 'https:' || url.username || url.password) throw new Error('not a plain https URL');
    const isPrivate = privateHosts.includes(url.host);
    if (!isPrivate) requirePublic(url);

    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const answer = await new Promise<IncomingMessage>((done, fail) => {
      request(
        url,
        {
          agent: false,
          signal: limited,
          headers: { accept: 'image/png, image/jpeg', 'user-agent': 'Candela' },
          ...(!isPrivate && { lookup: lookupPublic }),
        },
        done,
      )
        .on('error', fail)
        .end();
    });
    try {
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
      return await readBody(answer);
    } finally {
      answer.destroy();
    }
  };
