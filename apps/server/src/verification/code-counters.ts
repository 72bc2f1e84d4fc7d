import type { CodePurpose } from '@candela/contract';
import { channelOf, type MessageChannel } from '../delivery/message.ts';
import type { IdentifierKind } from '../identifier/identifier.ts';

/**
 * Codes sent and proven by this process. Where many are sent and few proven, someone pumps messages or
 * they do not arrive.
 */
export interface CodeCount {
  channel: MessageChannel;
  purpose: CodePurpose;
  sent: number;
  verified: number;
}

export interface CodeCounters {
  count(event: 'sent' | 'verified', kind: IdentifierKind, purpose: CodePurpose): void;
  read(): CodeCount[];
}

/** Counts since the start of the process. */
export const createCodeCounters = (): CodeCounters => {
  const counts = new Map<string, CodeCount>();
  return {
    count: (event, kind, purpose) => {
      const channel = channelOf(kind);
      const key = `${channel} ${purpose}`;
      const entry = counts.get(key) ?? { channel, purpose, sent: 0, verified: 0 };
      entry[event] += 1;
      counts.set(key, entry);
    },
    read: () => [...counts.values()].map((entry) => ({ ...entry })),
  };
};
