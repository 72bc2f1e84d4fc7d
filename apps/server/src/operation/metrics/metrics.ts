import type { Middleware } from 'koa';
import { Registry } from 'prom-client';
import type { LinkCounts } from '../../clients/client-health/link-counts.ts';
import type { EventCount } from '../../ground/event/events.ts';
import type { Backlog } from './backlog.repository.ts';
import { registerBacklog } from './backlog-metrics.ts';
import { type CodeCount, registerCodes } from './code-metrics.ts';
import { type DatabaseSources, registerDatabase } from './database-metrics.ts';
import { registerEvents } from './event-metrics.ts';
import { registerLinks } from './link-metrics.ts';
import type { MetricsSource } from './metrics-server.ts';
import { type ProcessSources, registerProcess } from './process-metrics.ts';
import { createRequestMetrics } from './request-metrics.ts';
import { registerWork, type WorkSources } from './work-metrics.ts';

/** What the parts of a serving process have counted; each is read at a scrape, and costs nothing before. */
interface MetricsSources extends ProcessSources, DatabaseSources, WorkSources {
  events(): readonly EventCount[];
  codes(): readonly CodeCount[];
  refreshes: LinkCounts['refreshes'];
  /** Asks the database what waits in it. */
  backlog(): Promise<Backlog>;
}

/** Values of metrics, as processes hand them to each other. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface Metrics extends MetricsSource {
  /** The values of this process; `withShared` also those that every process would answer alike. */
  read(options: { withShared: boolean }): Promise<MetricValues>;
  /** Measures each request; stands before all other middleware but the one that makes its state. */
  middleware: Middleware;
  /** Registers what the process counts, once it is wired. */
  watch(sources: MetricsSources): void;
}

/** The metrics of this process. */
export const createMetrics = (): Metrics => {
  const registry = new Registry();
  /** What stands in the database: of several workers one reads it. */
  const shared = new Registry();
  const all = () => Registry.merge([registry, shared]);
  let watches = false;
  return {
    contentType: registry.contentType,
    // The port is taken before there is all to be measured: half of it would look like a loss.
    metrics: async () => {
      if (!watches) throw new Error('this process does not serve yet');
      return all().metrics();
    },
    read: ({ withShared }) => (withShared ? all() : registry).getMetricsAsJSON(),
    middleware: createRequestMetrics(registry),
    watch: (sources) => {
      registerProcess(registry, sources);
      registerDatabase(registry, sources);
      registerWork(registry, sources);
      registerEvents(registry, sources.events);
      registerCodes(registry, sources.codes);
      registerLinks(registry, sources.refreshes);
      registerBacklog(shared, sources.backlog);
      watches = true;
    },
  };
};
