import { createOutboundRequest, readOutboundBody } from '../../ground/outbound/outbound-request.ts';

/** Fetches the bytes behind a `logo_uri`. */
export type LogoDownload = (source: string, signal: AbortSignal) => Promise<Buffer>;

const LIMIT_BYTES = 1024 * 1024;
const TIMEOUT_MS = 10_000;

/**
 * Downloads from the Internet by https: no redirects, at most 1 MiB and 10 seconds. Hosts (`name` or
 * `name:port`) in `privateHosts` may be at any address and port.
 */
export const createLogoDownload = ({ privateHosts }: { privateHosts: readonly string[] }): LogoDownload => {
  const request = createOutboundRequest({ privateHosts });
  return async (source, signal) => {
    const answer = await request(source, {
      headers: { accept: 'image/png, image/jpeg' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (answer.statusCode !== 200) {
      answer.destroy();
      throw new Error(`answered ${answer.statusCode}`);
    }
    return readOutboundBody(answer, LIMIT_BYTES);
  };
};
