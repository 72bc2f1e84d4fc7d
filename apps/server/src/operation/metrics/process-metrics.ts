import { collectDefaultMetrics, type Metric, type Registry } from 'prom-client';
import { readCounter, readGauge } from './read-metric.ts';

export interface ProcessSources {
  version: string;
  /** Of the source; undefined where nobody said. */
  commit: string | undefined;
  /** Whether the process can serve, as /readyz answers it. */
  isReady(): Promise<boolean>;
  /** Counts log lines and printed lines that could not be written. */
  countDroppedLines(): number;
}

/** Of several workers, the slowest counts: a request may meet it. */
const ofSlowest = ['mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (part) => `nodejs_eventloop_lag_${part}_seconds`,
);

const startedSeconds = (performance.timeOrigin ?? 0) / 1_000;

/** The runtime's own metrics, and those of the process as a whole. */
export const registerProcess = (registry: Registry, sources: ProcessSources): void => {
  collectDefaultMetrics({ register: registry });
  for (const name of ['nodejs_eventloop_lag_seconds', ...ofSlowest]) {
    const metric: (Metric & { aggregator?: string }) | undefined = registry.getSingleMetric(name);
    if (metric) metric.aggregator = 'max';
  }
  const { version, commit = '', isReady, countDroppedLines } = sources;
  readGauge(
    registry,
    {
      name: 'candela_build_info',
      help: 'Always 1; the labels say which release runs',
      labelNames: ['version', 'commit'],
      over: 'max',
    },
    () => [{ labels: { version, commit }, value: 1 }],
  );
  readGauge(
    registry,
    {
      name: 'candela_start_time_seconds',
      help: 'When the process started, in seconds since the epoch; of workers, the one that started last',
      over: 'max',
    },
    () => [{ value: startedSeconds }],
  );
  readGauge(
    registry,
    { name: 'candela_ready', help: '1 while /readyz answers 200; of workers, while all do', over: 'min' },
    async () => [{ value: Number(await isReady().catch(() => false)) }],
  );
  readCounter(
    registry,
    {
      name: 'candela_log_lines_dropped_total',
      help: 'Lines of the log, and printed ones, that could not be written',
    },
    () => [{ value: countDroppedLines() }],
  );
};
