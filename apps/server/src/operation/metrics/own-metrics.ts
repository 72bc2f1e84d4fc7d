import type { Config } from '../config/config.ts';
import { namePort } from '../start/ports.ts';
import type { Metrics } from './metrics.ts';
import type { MetricsSource } from './metrics-server.ts';

type Place = Pick<Config, 'metricsPort' | 'host'>;

/** The metrics of this process. The library is loaded only where METRICS_PORT asks for it. */
export const createOwnMetrics = async ({ metricsPort }: Place): Promise<Metrics | undefined> => {
  if (metricsPort === 0) return undefined;
  const { createMetrics } = await import('./metrics.ts');
  return createMetrics();
};

/** The metrics of all workers, in the process that starts them. */
export const metricsOfAll = async ({ metricsPort }: Place): Promise<MetricsSource | undefined> => {
  if (metricsPort === 0) return undefined;
  const { metricsOfWorkers } = await import('./worker-metrics.ts');
  return metricsOfWorkers();
};

/** @throws StartError where METRICS_PORT cannot be had. */
export const serveMetrics = async (
  { metricsPort: port, host }: Place,
  source: MetricsSource | undefined,
): Promise<{ close(): Promise<void> } | undefined> => {
  if (!source) return undefined;
  const { startMetrics } = await import('./metrics-server.ts');
  return startMetrics({ port, host, source }).catch(namePort('METRICS_PORT', port, host));
};
