import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { VerificationService } from '../verification/verification.service.ts';

export interface MetricsOptions {
  /** 0: any free one. */
  port: number;
  host: string;
  countCodes: VerificationService['countCodes'];
}

const createRegistry = ({ countCodes }: MetricsOptions): Registry => {
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
  return registry;
};

/** Serves the process's figures to Prometheus, apart from what people reach. */
export const startMetrics = async (
  options: MetricsOptions,
): Promise<{ port: number; close(): Promise<void> }> => {
  const registry = createRegistry(options);
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
  });
  server.listen(options.port, options.host);
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
