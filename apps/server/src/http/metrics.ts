import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { Events } from '../event/events.ts';

interface CodeCount {
  channel: string;
  purpose: string;
  sent: number;
  verified: number;
}

/** The metrics of this process. */
export const createRegistry = ({
  countCodes,
  countEvents,
  countDroppedLines,
}: {
  countCodes(): readonly CodeCount[];
  countEvents: Events['counts'];
  /** Counts log lines and printed lines that could not be written. */
  countDroppedLines(): number;
}): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Counter({
    name: 'candela_codes_total',
    help: 'Verification codes sent, and those that came back right',
    labelNames: ['channel', 'purpose', 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { channel, purpose, sent, verified } of countCodes()) {
        this.inc({ channel, purpose, outcome: 'sent' }, sent);
        this.inc({ channel, purpose, outcome: 'verified' }, verified);
      }
    },
  });
  new Counter({
    name: 'candela_events_total',
    help: 'Events of the log, by name and by the code of the reason where they have one',
    labelNames: ['event', 'reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { event, reason, count } of countEvents()) this.inc({ event, reason }, count);
    },
  });
  new Counter({
    name: 'candela_log_lines_dropped_total',
    help: 'Lines of the log, and printed ones, that could not be written',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(countDroppedLines());
    },
  });
  return registry;
};

/** The metrics of one process, or of all workers together. */
export interface MetricsSource {
  contentType: string;
  metrics(): Promise<string>;
}

/** In the primary: the metrics of all workers. A worker calls it with its own registry, to contribute. */
export const collectMetrics = (own?: Registry): MetricsSource => {
  const collected = new AggregatorRegistry();
  if (own) AggregatorRegistry.setRegistries(own);
  return { contentType: collected.contentType, metrics: () => collected.clusterMetrics() };
};

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
