import type { CodePurpose } from '@candela/contract';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import { callingCodeOf } from '../../ground/identifier/phone.ts';
import { channelOf, type MessageChannel } from '../delivery/message.ts';

/**
 * Codes sent and proven by this process. Where many are sent and few proven, someone pumps messages or
 * they do not arrive.
 */
export interface CodeCount {
  channel: MessageChannel;
  purpose: CodePurpose;
  /** The calling code of the phones, such as `86`; empty for e-mail. */
  prefix: string;
  sent: number;
  verified: number;
}

export interface CodeCounters {
  count(event: 'sent' | 'verified', identifier: Identifier, purpose: CodePurpose): void;
  read(): CodeCount[];
}

/** Counts since the start of the process. */
export const createCodeCounters = (): CodeCounters => {
  const counts = new Map<string, CodeCount>();
  return {
    count: (event, { kind, value }, purpose) => {
      const channel = channelOf(kind);
      const prefix = kind === 'phone' ? callingCodeOf(value) : '';
      const key = `${channel} ${purpose} ${prefix}`;
      const entry = counts.get(key) ?? { channel, purpose, prefix, sent: 0, verified: 0 };
      entry[event] += 1;
      counts.set(key, entry);
    },
    read: () => [...counts.values()].map((entry) => ({ ...entry })),
  };
};
