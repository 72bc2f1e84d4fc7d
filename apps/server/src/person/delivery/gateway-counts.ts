import { callingCodeOf } from '../../ground/identifier/phone.ts';
import type { MessageChannel } from './message.ts';

/** What came of the tries of one channel to one country, since the start of the process. */
export interface GatewayCount {
  channel: MessageChannel;
  /** The calling code of the phones, such as `86`; empty for e-mail. */
  prefix: string;
  taken: number;
  /** Tries that another one follows. */
  failed: number;
  /** Messages that the gateway will never take. */
  refused: number;
}

export interface GatewayCounts {
  /** @param to the canonical address of the message */
  count(what: 'taken' | 'failed' | 'refused', to: string): void;
  read(): GatewayCount[];
}

export const createGatewayCounts = (channel: MessageChannel): GatewayCounts => {
  const counts = new Map<string, GatewayCount>();
  return {
    count: (what, to) => {
      const prefix = channel === 'sms' ? callingCodeOf(to) : '';
      const entry = counts.get(prefix) ?? { channel, prefix, taken: 0, failed: 0, refused: 0 };
      entry[what] += 1;
      counts.set(prefix, entry);
    },
    read: () => [...counts.values()].map((entry) => ({ ...entry })),
  };
};
