import type { Registry } from 'prom-client';
import type { EventCount } from '../event/events.ts';
import { readCounter, type Sample } from './read-metric.ts';

/** Adds up counts whose labels are the same. */
const sumBy = (
  counts: readonly EventCount[],
  labelsOf: (count: EventCount) => Record<string, string> | undefined,
): Sample[] => {
  const sums = new Map<string, Required<Sample>>();
  for (const one of counts) {
    const labels = labelsOf(one);
    if (!labels) continue;
    const key = JSON.stringify(labels);
    const sum = sums.get(key) ?? { labels, value: 0 };
    sum.value += one.count;
    sums.set(key, sum);
  }
  return [...sums.values()];
};

const outcomeOf = ({ event }: EventCount) => (event.endsWith('refused') ? 'refused' : 'succeeded');

/** What the events of the process come to. */
export const registerEvents = (registry: Registry, read: () => readonly EventCount[]): void => {
  readCounter(
    registry,
    {
      name: 'candela_events_total',
      help: 'Events of the log, by name and by the code of the reason where they have one',
      labelNames: ['event', 'reason'],
    },
    () => sumBy(read(), ({ event, reason }) => ({ event, reason })),
  );
  readCounter(
    registry,
    {
      name: 'candela_sign_ins_total',
      help: 'Sign-ins, by outcome, by the way that was tried, and by the code of the refusal',
      labelNames: ['outcome', 'method', 'reason'],
    },
    () =>
      sumBy(read(), (one) =>
        one.event.startsWith('sign_in.')
          ? { outcome: outcomeOf(one), method: one.method, reason: one.reason }
          : undefined,
      ),
  );
  readCounter(
    registry,
    {
      name: 'candela_registrations_total',
      help: 'Accounts that people made, and attempts that were refused, by the code of the refusal',
      labelNames: ['outcome', 'reason'],
    },
    () =>
      sumBy(read(), (one) =>
        one.event === 'account.registered' || one.event === 'account.register_refused'
          ? { outcome: outcomeOf(one), reason: one.reason }
          : undefined,
      ),
  );
  readCounter(
    registry,
    {
      name: 'candela_limits_exceeded_total',
      help: 'Requests that met a spent limit, by the name of the limit',
      labelNames: ['limit'],
    },
    () => sumBy(read(), ({ event, limit }) => (event === 'rate_limit.exceeded' ? { limit } : undefined)),
  );
};
