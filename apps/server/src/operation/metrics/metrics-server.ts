import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The metrics of one process, or of all workers together. */
export interface MetricsSource {
  contentType: string;
  metrics(): Promise<string>;
}

export interface MetricsOptions {
  /** 0: any free port. */
  port: number;
  host: string;
  source: MetricsSource;
}

/** Serves metrics to Prometheus, on a port of their own. */
export const startMetrics = async ({
  port,
  host,
  source,
}: MetricsOptions): Promise<{ port: number; close(): Promise<void> }> => {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    const text = await source.metrics().catch(() => undefined);
    if (text === undefined) response.writeHead(503).end();
    else response.writeHead(200, { 'content-type': source.contentType }).end(text);
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
