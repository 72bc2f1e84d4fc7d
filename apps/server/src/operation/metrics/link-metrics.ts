import type { Registry } from 'prom-client';
import type { LinkCounts } from '../../clients/client-health/link-counts.ts';
import { readCounter } from './read-metric.ts';

/** How often links are refreshed, by the platform of their app. */
export const registerLinks = (registry: Registry, read: LinkCounts['refreshes']): void =>
  readCounter(
    registry,
    {
      name: 'candela_refreshes_total',
      help: 'Refreshes that were answered with tokens, by the platform of the app: its preset, or other',
      labelNames: ['platform'],
    },
    () => read().map(({ platform, count }) => ({ labels: { platform }, value: count })),
  );
