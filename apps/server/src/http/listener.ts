import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerEarly } from './early-answers.ts';
import { takeWholeUrls } from './request-target.ts';

const DRAIN_MS = 5_000;

export interface Listener {
  /** Listens and answers the port, which is another than asked for only where that was 0. */
  listen(): Promise<number>;
  /** Stops accepting and lets what runs finish, for 5 s at most. */
  close(): Promise<void>;
}

/** The HTTP server of the process. */
export const createListener = (
  handler: RequestListener,
  { port, host, publicUrl }: { port: number; host: string; publicUrl?: string },
): Listener => {
  let server: Server | undefined;
  return {
    listen: async () => {
      // A missing Host is refused with all the rest, and with the headers of every answer.
      const created = createServer({ requireHostHeader: false }, takeWholeUrls(handler));
      answerEarly(created, publicUrl);
      server = created;
      await new Promise<void>((resolve, reject) => {
        created.once('error', reject);
        created.listen(port, host, resolve);
      });
      return (created.address() as AddressInfo).port;
    },
    close: async () => {
      const closing = server;
      if (!closing) return;
      const forced = setTimeout(() => closing.closeAllConnections(), DRAIN_MS);
      await new Promise((resolve) => {
        closing.close(resolve);
        closing.closeIdleConnections();
      });
      clearTimeout(forced);
    },
  };
};
