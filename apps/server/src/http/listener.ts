import cluster from 'node:cluster';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { answerEarly } from './early-answers.ts';
import { takeWholeUrls } from './request-target.ts';
import { sharesPort } from './shared-port.ts';

/** How long running requests may take once idle connections are closed. Waiting until all is quiet is a part of it. */
const DRAIN_MS = 5_000;
const LEAST_DRAIN_MS = 1_000;

/**
 * Longer than proxies keep an idle connection (60 s in nginx and the load balancers of AWS). A request that meets a
 * connection that just ended is lost, and a proxy may not repeat a POST.
 */
const KEEP_ALIVE_MS = 75_000;
/** Limits for the head of a request and for the whole request: they cut off a client that trickles bytes. */
const HEADERS_MS = 30_000;
const REQUEST_MS = 120_000;
const CHECK_MS = 10_000;

const QUIET_WAIT_MS = 3_000;
/** How long a turn of the event loop may take to count as quiet; the bound grows while no turn was quiet. */
const QUIET_SHARE = 1 / 1_000;

export interface Listener {
  /** Listens and answers the port, which differs from the configured port only where that is 0. */
  listen(): Promise<number>;
  /**
   * Stops accepting; from then on each answer ends its connection. Idle connections are closed after `lingerMs`, and
   * running requests may finish within 5 s more.
   */
  close(options?: { lingerMs?: number }): Promise<void>;
}

/**
 * Resolves in a turn of the event loop that accepted nothing and had next to nothing to do, or after 3 s. Closing a
 * socket resets whatever the machine has received and the process has not read: connections that wait to be accepted
 * (each turn accepts one), and requests on idle connections.
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
          // Middleware refuses a missing Host, with the headers that every answer has.
          requireHostHeader: false,
        },
        (request, response) => {
          if (ending) endConnectionAfter(response);
          unanswered.add(response);
          response.once('close', () => unanswered.delete(response));
          serve(request, response);
        },
      );
      answerEarly(created, publicUrl, unanswered);
      server = created;
      await new Promise<void>((resolve, reject) => {
        created.once('error', reject);
        created.listen({ port, host, reusePort: cluster.isWorker && sharesPort }, resolve);
      });
      return (created.address() as AddressInfo).port;
    },
    close: async ({ lingerMs = 0 } = {}) => {
      const closing = server;
      if (!closing) return;
      const end = performance.now() + lingerMs + DRAIN_MS;
      await untilQuiet(closing);
      // http.Server#close would close idle connections too, and a proxy may be about to use one.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(closing, resolve));
      // Only now: a proxy opens another connection for each one that ends, and it might still be accepted here.
      ending = true;
      unanswered.forEach(endConnectionAfter);
      const over = new AbortController();
      closed.then(() => over.abort());
      await wait(lingerMs, undefined, { signal: over.signal }).catch(() => undefined);
      await untilQuiet(closing);
      closing.close(() => undefined);
      const leftMs = Math.max(LEAST_DRAIN_MS, end - performance.now());
      const forced = setTimeout(() => closing.closeAllConnections(), leftMs);
      await closed;
      clearTimeout(forced);
    },
  };
};
