import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerEarly } from './early-answers.ts';
import { takeWholeUrls } from './request-target.ts';

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

/** Turns of the event loop shorter than this had nothing to do. */
const QUIET_TURN_MS = 0.1;
const QUIET_WAIT_MS = 250;

export interface Listener {
  /** Listens and answers the port, which is another than asked for only where that was 0. */
  listen(): Promise<number>;
  /** From now on every answer ends its connection, so that those who keep one open leave; it still accepts. */
  drain(): void;
  /** Stops accepting, closes what is idle and lets what runs finish, for 5 s at most. */
  close(): Promise<void>;
}

/**
 * Resolves after a turn of the event loop in which nothing came, or after 250 ms. What has arrived by the turn
 * in which sockets are closed, and was not read yet, is reset: connections to accept, requests on idle ones.
 */
const untilQuiet = async () => {
  const end = performance.now() + QUIET_WAIT_MS;
  for (let before = performance.now(); before < end; ) {
    await nextTurn();
    const now = performance.now();
    if (now - before < QUIET_TURN_MS) return;
    before = now;
  }
};

/** The HTTP server of the process. */
export const createListener = (
  handler: RequestListener,
  { port, host, publicUrl }: { port: number; host: string; publicUrl: string },
): Listener => {
  let server: Server | undefined;
  let draining = false;
  const unanswered = new Set<ServerResponse>();
  const endConnectionAfter = (response: ServerResponse) => {
    response.shouldKeepAlive = false;
  };
  const drain = () => {
    draining = true;
    unanswered.forEach(endConnectionAfter);
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
          if (draining) endConnectionAfter(response);
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
    drain,
    close: async () => {
      const closing = server;
      if (!closing) return;
      drain();
      await untilQuiet();
      const forced = setTimeout(() => closing.closeAllConnections(), DRAIN_MS);
      await new Promise((resolve) => closing.close(resolve));
      clearTimeout(forced);
    },
  };
};
