import type { Registry } from 'prom-client';
import { readCounter, type Sample } from './read-metric.ts';

/** Verification codes of one channel, purpose and calling code. */
export interface CodeCount {
  channel: string;
  purpose: string;
  /** Empty for e-mail. */
  prefix: string;
  sent: number;
  verified: number;
}

/** A counter adds up samples of the same labels. */
const samplesOf = (labels: Record<string, string>, { sent, verified }: CodeCount): Sample[] => [
  { labels: { ...labels, outcome: 'sent' }, value: sent },
  { labels: { ...labels, outcome: 'verified' }, value: verified },
];

export const registerCodes = (registry: Registry, read: () => readonly CodeCount[]): void => {
  readCounter(
    registry,
    {
      name: 'candela_codes_total',
      help: 'Verification codes sent, and those that came back right',
      labelNames: ['channel', 'purpose', 'outcome'],
    },
    () => read().flatMap((count) => samplesOf({ channel: count.channel, purpose: count.purpose }, count)),
  );
  readCounter(
    registry,
    {
      name: 'candela_sms_codes_total',
      help: 'Verification codes sent by SMS, and those that came back right, by calling code',
      labelNames: ['prefix', 'outcome'],
    },
    () =>
      read()
        .filter(({ channel }) => channel === 'sms')
        .flatMap((count) => samplesOf({ prefix: count.prefix }, count)),
  );
};
