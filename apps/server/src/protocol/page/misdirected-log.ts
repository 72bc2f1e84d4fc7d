import type { Logger } from '../../ground/logger.ts';

const EVERY_MS = 60_000;
/** The most that is kept of a host: 253 characters of a name (RFC 1035), and a port. */
const HOST_LENGTH = 260;
const HOSTS_TOLD = 5;

/** The headers that say where a request belongs. */
export interface SeenHost {
  /** Host; empty where the request has none. */
  host: string;
  /** X-Forwarded-Host, which is not trusted: it helps to find a proxy that does not pass Host on. */
  forwardedHost: string;
}

/**
 * Logs requests for hosts that no brand has: the first at once, the following ones in one line a minute, with their
 * count and the first few hosts, since scanners send many.
 */
export const createMisdirectedLog = (logger: Pick<Logger, 'warn'>, expected: readonly string[]) => {
  let since: { count: number; hosts: Set<string>; last: SeenHost } | undefined;

  const say = ({ forwardedHost }: SeenHost, hosts: Iterable<string>, count: number) =>
    logger.warn(
      { hosts: [...hosts], ...(forwardedHost && { forwardedHost }), expected, count },
      'a Host that is not ours was answered with 421',
    );

  const begin = (last: SeenHost) => {
    const begun = { count: 0, hosts: new Set<string>(), last };
    since = begun;
    setTimeout(() => {
      since = undefined;
      if (begun.count === 0) return;
      say(begun.last, begun.hosts, begun.count);
      begin(begun.last);
    }, EVERY_MS).unref();
  };

  return (seen: SeenHost): void => {
    const last = {
      host: seen.host.slice(0, HOST_LENGTH),
      forwardedHost: seen.forwardedHost.slice(0, HOST_LENGTH),
    };
    if (!since) {
      say(last, [last.host], 1);
      begin(last);
      return;
    }
    since.count += 1;
    since.last = last;
    if (since.hosts.size < HOSTS_TOLD) since.hosts.add(last.host);
  };
};
