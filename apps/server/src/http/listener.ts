import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { answerEarly } from './early-answers.ts';
import { takeWholeUrls } from './request-target.ts';

/** For what runs when the process is told to end. */
const DRAIN_MS = 5_000;

/**
 * Proxies keep an idle connection for 60 s (nginx, the load balancers of AWS): it must not end here first, for
 * a request that is on its way then is lost, and a proxy may not send a POST again.
 */
const KEEP_ALIVE_MS = 75_000;
/** For the head of a request, and for all of it: whoever sends a byte now and then is cut off. */
const HEADERS_MS = 30_000;
const REQUEST_MS = 120_000;
const CHECK_MS = 10_000;

const QUIET_WAIT_MS = 3_000;
/** How long a turn of the event loop may be that is quiet: the longer, the longer none was. */
const QUIET_SHARE = 1 / 1_000;

export interface Listener {
  /** Listens and answers the port, which is another than asked for only where that was 0. */
  listen(): Promise<number>;
  /**
   * Stops accepting, and from then on each answer ends its connection. Those that are idle are closed after
   * `lingerMs`; what runs then may finish, for 5 s at most.
   */
  close(options?: { lingerMs?: number }): Promise<void>;
}

/**
 * Resolves in a turn of the event loop that had nothing to accept and next to nothing to do, or after 3 s. What
 * has come to the machine and not to the process when sockets are closed is reset: connections that wait to be
 * accepted (one is in each turn), and requests on idle ones.
 */
const untilQuiet = async (server: Server) => {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  const start = performance.now();
  for (let before = start; before - start < QUIET_WAIT_MS; ) {
    accepted = 0;
    await nextTurn();
    const now = performance.now();
    if (accepted === 0 && now - before < (now - start) * QUIET_SHARE) break;
    before = now;
  }
  server.off('connection', count);
};

/** The HTTP server of the process. */
export const createListener = (
  handler: RequestListener,
  { port, host, publicUrl }: { port: number; host: string; publicUrl?: string },
): Listener => {
  let server: Server | undefined;
  let ending = false;
  const unanswered = new Set<ServerResponse>();
  const endConnectionAfter = (response: ServerResponse) => {
    response.shouldKeepAlive = false;
  };
  return {
    listen: async () => {
      const serve = takeWholeUrls(handler);
      const created = createServer(
        {
          keepAliveTimeout: KEEP_ALIVE_MS,
          headersTimeout: HEADERS_MS,
          requestTimeout: REQUEST_MS,
          connectionsCheckingInterval: CHECK_MS,
          // A missing Host is refused with all the rest, and with the headers of every answer.
          requireHostHeader: false,
        },
        (request, response) => {
          if (ending) endConnectionAfter(response);
          unanswered.add(response);
          response.once('close', () => unanswered.delete(response));
          serve(request, response);
        },
      );
      answerEarly(created, publicUrl);
      server = created;
      await new Promise<void>((resolve, reject) => {
        created.once('error', reject);
        created.listen(port, host, resolve);
      });
      return (created.address() as AddressInfo).port;
    },
    close: async ({ lingerMs = 0 } = {}) => {
      const closing = server;
      if (!closing) return;
      await untilQuiet(closing);
      // An http.Server would close idle connections with it, and the next request of a proxy is on one of them.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(closing, resolve));
      // Not before: a proxy whose connections end opens others, and some wait to be accepted at any moment.
      ending = true;
      unanswered.forEach(endConnectionAfter);
      const over = new AbortController();
      closed.then(() => over.abort());
      await wait(lingerMs, undefined, { signal: over.signal }).catch(() => undefined);
      await untilQuiet(closing);
      closing.close(() => undefined);
      const forced = setTimeout(() => closing.closeAllConnections(), DRAIN_MS);
      await closed;
      clearTimeout(forced);
    },
  };
};
