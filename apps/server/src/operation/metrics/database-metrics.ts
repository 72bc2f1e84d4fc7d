import type { Registry } from 'prom-client';
import type { PoolCounts } from '../../ground/db/postgres-pool.ts';
import { readCounter, readGauge, type Sample } from './read-metric.ts';

type Lane = PoolCounts['lanes'][number];

export interface DatabaseSources {
  /** Undefined for the embedded database. */
  poolCounts?: (() => PoolCounts) | undefined;
  changes: { isLive(): boolean; heardAgeSeconds(): number | undefined };
}

const perLane = (pool: PoolCounts, read: (lane: Lane) => number): Sample[] =>
  pool.lanes.map((lane) => ({ labels: { lane: lane.lane }, value: read(lane) }));

const registerPool = (registry: Registry, read: () => PoolCounts): void => {
  readGauge(
    registry,
    {
      name: 'candela_database_connections',
      help: 'Connections to the database: open, those of them that are idle, and the most that may be open',
      labelNames: ['state'],
      over: 'sum',
    },
    () => {
      const { open, idle, max } = read();
      return Object.entries({ open, idle, max }).map(([state, value]) => ({ labels: { state }, value }));
    },
  );
  readGauge(
    registry,
    {
      name: 'candela_database_waiting',
      help: 'Statements that wait for a connection; token requests have the reserved lane',
      labelNames: ['lane'],
      over: 'sum',
    },
    () => perLane(read(), ({ waiting }) => waiting),
  );
  readCounter(
    registry,
    {
      name: 'candela_database_waits_total',
      help: 'Statements that waited for a connection',
      labelNames: ['lane'],
    },
    () => perLane(read(), ({ waited }) => waited),
  );
  readCounter(
    registry,
    {
      name: 'candela_database_wait_seconds_total',
      help: 'For how long statements waited for a connection, all together',
      labelNames: ['lane'],
    },
    () => perLane(read(), ({ waitedSeconds }) => waitedSeconds),
  );
  readCounter(
    registry,
    {
      name: 'candela_database_wait_refused_total',
      help: 'Statements that got no connection: too many waited, or none was free in time',
      labelNames: ['lane'],
    },
    () => perLane(read(), ({ refused }) => refused),
  );
};

/** The connections of the process to the database, and whether it hears of the changes of other processes. */
export const registerDatabase = (registry: Registry, { poolCounts, changes }: DatabaseSources): void => {
  if (poolCounts) registerPool(registry, poolCounts);
  readGauge(
    registry,
    {
      name: 'candela_changes_heard',
      help: '1 while the process hears of changes at once; else it reads its caches anew every 0.8 s',
      over: 'min',
    },
    () => [{ value: Number(changes.isLive()) }],
  );
  readGauge(
    registry,
    {
      name: 'candela_changes_heard_age_seconds',
      help: 'How long ago the last change could be made that the process has surely heard of',
      over: 'max',
    },
    () => {
      const value = changes.heardAgeSeconds();
      return value === undefined ? [] : [{ value }];
    },
  );
};
