import type { Registry } from 'prom-client';
import type { Backlog } from './backlog.repository.ts';
import { readGauge } from './read-metric.ts';

/** Scrapes within this time share one look at the database. */
const FRESH_MS = 5_000;

/** Looks at most once in five seconds. */
const createLook = (find: () => Promise<Backlog>) => {
  let last: { at: number; backlog: Promise<Backlog> } | undefined;
  return (): Promise<Backlog> => {
    const now = performance.now();
    if (!last || now - last.at > FRESH_MS) last = { at: now, backlog: find() };
    return last.backlog;
  };
};

/** What waits in the database: every process answers it alike, so that Prometheus takes the maximum of all. */
export const registerBacklog = (registry: Registry, find: () => Promise<Backlog>): void => {
  const look = createLook(find);
  readGauge(
    registry,
    {
      name: 'candela_queue_due',
      help: 'Items of a queue in the database that are due or under way; 10000 stands for more',
      labelNames: ['queue'],
      over: 'max',
    },
    async () => (await look()).queues.map(({ queue, due }) => ({ labels: { queue }, value: due })),
  );
  readGauge(
    registry,
    {
      name: 'candela_queue_oldest_seconds',
      help: 'Since when the item of a queue is due that waits longest',
      labelNames: ['queue'],
      over: 'max',
    },
    async () =>
      (await look()).queues.map(({ queue, oldestSeconds }) => ({ labels: { queue }, value: oldestSeconds })),
  );
  readGauge(
    registry,
    {
      name: 'candela_sweep_lag_seconds',
      help: 'How long ago the row of a table was over that is over longest and not deleted yet',
      labelNames: ['table'],
      over: 'max',
    },
    async () =>
      (await look()).expired.map(({ table, oldestSeconds }) => ({ labels: { table }, value: oldestSeconds })),
  );
  readGauge(
    registry,
    {
      name: 'candela_streams_failing',
      help: 'Streams of signals whose receivers take nothing, those that were paused for it included',
      over: 'max',
    },
    async () => [{ value: (await look()).failingStreams }],
  );
  readGauge(
    registry,
    {
      name: 'candela_links_ended_last_day',
      help: 'Links that ended in the last 24 hours, by the platform of the app and by reason; 10000 stands for more',
      labelNames: ['platform', 'reason'],
      over: 'max',
    },
    async () => (await look()).endedLinks.map(({ count: value, ...labels }) => ({ labels, value })),
  );
  readGauge(
    registry,
    {
      name: 'candela_signing_key_age_seconds',
      help: 'For how long the signing keys sign',
      over: 'max',
    },
    async () => {
      const { signingKeySeconds: value } = await look();
      return value === undefined ? [] : [{ value }];
    },
  );
};
