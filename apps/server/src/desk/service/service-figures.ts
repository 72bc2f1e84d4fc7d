import type { DeskService, ServiceSpan } from '@candela/contract';
import type { StepCount } from './service-count.repository.ts';
import type { CountedThing } from './service-counts.ts';

/** How many steps of how many seconds a span has. */
export const spanSteps: Readonly<Record<ServiceSpan, { steps: number; seconds: number }>> = {
  day: { steps: 48, seconds: 1_800 },
  quarter: { steps: 90, seconds: 86_400 },
};

type Step = DeskService['steps'][number];
type Figures = Pick<DeskService, 'steps' | 'refusals' | 'gateways' | 'platforms'>;

/** A count of one thing, with what its name says besides: a reason, a platform, or a channel and a calling code. */
interface Counted {
  thing: CountedThing | 'link_ended';
  labels: string[];
  step: number;
  count: number;
}

const read = ({ name, step, count }: StepCount): Counted => {
  const [thing = '', ...labels] = name.split(' ');
  return { thing: thing as CountedThing, labels, step, count };
};

const emptyStep = (at: Date): Step => ({
  at: at.toISOString(),
  signIns: { succeeded: 0, refused: 0, registered: 0 },
  codes: { sent: 0, used: 0 },
  messages: { taken: 0, failed: 0, refused: 0 },
  links: { made: 0, refreshed: 0, ended: 0 },
});

/** Where a count goes in its step. */
const places: Readonly<Record<Counted['thing'], (step: Step, count: number) => void>> = {
  sign_in_succeeded: ({ signIns }, count) => (signIns.succeeded += count),
  sign_in_refused: ({ signIns }, count) => (signIns.refused += count),
  registered: ({ signIns }, count) => (signIns.registered += count),
  code_sent: ({ codes }, count) => (codes.sent += count),
  code_used: ({ codes }, count) => (codes.used += count),
  message_taken: ({ messages }, count) => (messages.taken += count),
  message_failed: ({ messages }, count) => (messages.failed += count),
  message_refused: ({ messages }, count) => (messages.refused += count),
  link_made: ({ links }, count) => (links.made += count),
  link_refreshed: ({ links }, count) => (links.refreshed += count),
  link_ended: ({ links }, count) => (links.ended += count),
};

const sumOf = (counts: readonly Counted[], thing: Counted['thing']): number =>
  counts.filter((counted) => counted.thing === thing).reduce((sum, { count }) => sum + count, 0);

/** The counts of some things by their labels. */
const byLabels = (counts: readonly Counted[], things: readonly Counted['thing'][]) => [
  ...Map.groupBy(
    counts.filter(({ thing }) => things.includes(thing)),
    ({ labels }) => labels.join(' '),
  ),
];

const gatewayThings = [
  'message_taken',
  'message_failed',
  'message_refused',
  'code_sent',
  'code_used',
] as const satisfies CountedThing[];

const toGateways = (counts: readonly Counted[]): Figures['gateways'] =>
  byLabels(counts, gatewayThings)
    .map(([labels, of]) => {
      const [channel, callingCode] = labels.split(' ');
      return {
        channel: channel === 'email' ? ('email' as const) : ('sms' as const),
        ...(callingCode && { callingCode }),
        taken: sumOf(of, 'message_taken'),
        failed: sumOf(of, 'message_failed'),
        refused: sumOf(of, 'message_refused'),
        codesSent: sumOf(of, 'code_sent'),
        codesUsed: sumOf(of, 'code_used'),
      };
    })
    .toSorted((a, b) => b.failed + b.refused - a.failed - a.refused || b.codesSent - a.codesSent);

const toPlatforms = (counts: readonly Counted[]): Figures['platforms'] =>
  byLabels(counts, ['link_made', 'link_refreshed', 'link_ended'])
    .map(([platform, of]) => ({
      platform,
      made: sumOf(of, 'link_made'),
      refreshed: sumOf(of, 'link_refreshed'),
      ended: sumOf(of, 'link_ended'),
    }))
    .toSorted((a, b) => b.refreshed - a.refreshed || b.made - a.made || b.ended - a.ended);

const toRefusals = (counts: readonly Counted[]): Figures['refusals'] =>
  byLabels(counts, ['sign_in_refused'])
    .map(([reason, of]) => ({ reason: reason || 'other', count: sumOf(of, 'sign_in_refused') }))
    .toSorted((a, b) => b.count - a.count);

/** What the page of the service shows of what was counted, and of links that ended, from step `first` on. */
export const toFigures = (
  counts: readonly StepCount[],
  ended: readonly StepCount[],
  { first, span }: { first: number; span: ServiceSpan },
): Figures => {
  const { steps: length, seconds } = spanSteps[span];
  const all: Counted[] = [
    ...counts.map(read),
    ...ended.map(({ name, step, count }) => ({ thing: 'link_ended' as const, labels: [name], step, count })),
  ];
  const steps = Array.from({ length }, (_, index) => emptyStep(new Date((first + index) * seconds * 1_000)));
  for (const { thing, step, count } of all) {
    const found = steps[step - first];
    // What a later release counts is none of this one's.
    if (found) places[thing]?.(found, count);
  }
  return { steps, refusals: toRefusals(all), gateways: toGateways(all), platforms: toPlatforms(all) };
};
