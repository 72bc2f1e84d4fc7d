import type { Registry } from 'prom-client';
import type { WorkCounts } from '../../ground/work-queue.ts';
import type { ChannelCounts } from '../../person/delivery/channel-queue.ts';
import type { SweepCounts } from '../sweep.ts';
import { readCounter, readGauge } from './read-metric.ts';

export interface WorkSources {
  /** Of the queue of password hashes. */
  hashing(): WorkCounts;
  sweeping(): SweepCounts;
  messages(): readonly ChannelCounts[];
}

const registerHashing = (registry: Registry, read: () => WorkCounts): void => {
  readGauge(
    registry,
    {
      name: 'candela_hashes',
      help: 'Password hashes that are computed now, and those that wait for their turn',
      labelNames: ['state'],
      over: 'sum',
    },
    () => {
      const { running, waiting } = read();
      return Object.entries({ running, waiting }).map(([state, value]) => ({ labels: { state }, value }));
    },
  );
  readCounter(registry, { name: 'candela_hashes_total', help: 'Password hashes that were begun' }, () => [
    { value: read().begun },
  ]);
  readCounter(
    registry,
    { name: 'candela_hashes_refused_total', help: 'Password hashes for which too many waited, or too long' },
    () => [{ value: read().refused }],
  );
  readCounter(
    registry,
    {
      name: 'candela_hash_wait_seconds_total',
      help: 'For how long password hashes waited for their turn, all together',
    },
    () => [{ value: read().waitedSeconds }],
  );
};

const registerMessages = (registry: Registry, read: () => readonly ChannelCounts[]): void => {
  readGauge(
    registry,
    {
      name: 'candela_gateway_down',
      help: '1 while the gateway of the channel is left alone, since it failed again and again',
      labelNames: ['channel'],
      over: 'max',
    },
    () => read().map(({ channel, isDown }) => ({ labels: { channel }, value: Number(isDown) })),
  );
  readCounter(
    registry,
    {
      name: 'candela_messages_total',
      help: 'Tries to hand a message to the gateway: delivered, retried later, or given up',
      labelNames: ['channel', 'outcome'],
    },
    () =>
      read().flatMap(({ channel, delivered, retried, givenUp }) =>
        Object.entries({ delivered, retried, given_up: givenUp }).map(([outcome, value]) => ({
          labels: { channel, outcome },
          value,
        })),
      ),
  );
};

/** The work that the process does beside its answers. */
export const registerWork = (registry: Registry, { hashing, sweeping, messages }: WorkSources): void => {
  registerHashing(registry, hashing);
  registerMessages(registry, messages);
  readCounter(
    registry,
    {
      name: 'candela_sweeps_total',
      help: 'Sweeps that this process made; of all processes one sweeps at a time',
    },
    () => [{ value: sweeping().sweeps }],
  );
  readCounter(registry, { name: 'candela_swept_rows_total', help: 'Expired rows deleted' }, () => [
    { value: sweeping().rows },
  ]);
};
