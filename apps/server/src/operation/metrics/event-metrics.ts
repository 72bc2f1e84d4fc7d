import type { Registry } from 'prom-client';
import type { EventName } from '../../ground/event/event-names.ts';
import type { EventCount } from '../../ground/event/events.ts';
import { type Described, readCounter, type Sample } from './read-metric.ts';

/** A counter of events. Events without labels are not counted by it. */
interface EventCounter extends Described {
  labelsOf(count: EventCount): Record<string, string> | undefined;
  /**
   * Labels that are served from the start. Of a series that begins at its first event Prometheus sees no increase
   * before the second.
   */
  zeros?: readonly Record<string, string>[];
}

type ByEvent = Partial<Record<EventName, string>>;

const outcomes: ByEvent = {
  'sign_in.succeeded': 'succeeded',
  'sign_in.refused': 'refused',
  'account.registered': 'succeeded',
  'account.register_refused': 'refused',
};

/** What ends an approval with its tokens. A code that is presented again does so where its reason is `ended`. */
const endings: ByEvent = {
  'token.theft': 'theft',
  'token.revoked': 'revoked',
  'authorization.withdrawn': 'withdrawn',
  'token.code_reused': 'code_reused',
};

const repeats: ByEvent = {
  'token.repeated': 'answered',
  'token.duplicate': 'duplicate',
  'token.theft': 'theft',
};

const counters: readonly EventCounter[] = [
  {
    name: 'candela_events_total',
    help: 'Events of the log, by name and by the code of the reason where they have one',
    labelNames: ['event', 'reason'],
    labelsOf: ({ event, reason }) => ({ event, reason }),
    zeros: [{ event: 'desk.looks_exhausted', reason: '' }],
  },
  {
    name: 'candela_sign_ins_total',
    help: 'Sign-ins, by outcome, by the way that was tried, and by the code of the refusal',
    labelNames: ['outcome', 'method', 'reason'],
    labelsOf: ({ event, method, reason }) => {
      const outcome = event.startsWith('sign_in.') ? outcomes[event] : undefined;
      return outcome ? { outcome, method, reason } : undefined;
    },
    zeros: ['password', 'code', 'ticket'].map((method) => ({ outcome: 'succeeded', method, reason: '' })),
  },
  {
    name: 'candela_registrations_total',
    help: 'Accounts that people made, and attempts that were refused, by the code of the refusal',
    labelNames: ['outcome', 'reason'],
    labelsOf: ({ event, reason }) => {
      const outcome = event.startsWith('account.') ? outcomes[event] : undefined;
      return outcome ? { outcome, reason } : undefined;
    },
    zeros: [{ outcome: 'succeeded', reason: '' }],
  },
  {
    name: 'candela_authorizations_ended_total',
    help: 'Approvals that ended with their tokens, by what ended them; those of a disabled client are not counted',
    labelNames: ['reason'],
    labelsOf: ({ event, reason }) => {
      const ending = event === 'token.code_reused' && reason !== 'ended' ? undefined : endings[event];
      return ending ? { reason: ending } : undefined;
    },
    zeros: Object.values(endings).map((reason) => ({ reason })),
  },
  {
    name: 'candela_refreshes_repeated_total',
    help: 'Refresh tokens presented again: `answered` with the same successor, refused as `duplicate`, or `theft`',
    labelNames: ['outcome'],
    labelsOf: ({ event }) => {
      const outcome = repeats[event];
      return outcome ? { outcome } : undefined;
    },
    zeros: Object.values(repeats).map((outcome) => ({ outcome })),
  },
  {
    name: 'candela_limits_exceeded_total',
    help: 'Requests that met a spent limit, by the name of the limit',
    labelNames: ['limit'],
    labelsOf: ({ event, limit }) => (event === 'rate_limit.exceeded' ? { limit } : undefined),
  },
];

/** What the events of the process come to. A counter adds up what has the same labels. */
export const registerEvents = (registry: Registry, read: () => readonly EventCount[]): void => {
  for (const { labelsOf, zeros = [], ...described } of counters)
    readCounter(registry, described, () => [
      ...zeros.map((labels) => ({ labels, value: 0 })),
      ...read().flatMap((one): Sample[] => {
        const labels = labelsOf(one);
        return labels ? [{ labels, value: one.count }] : [];
      }),
    ]);
};
