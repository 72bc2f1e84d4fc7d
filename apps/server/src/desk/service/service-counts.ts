import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { LinkCounts } from '../../clients/client-health/link-counts.ts';
import type { Database } from '../../ground/db/database.ts';
import type { EventName } from '../../ground/event/event-names.ts';
import type { EventCount } from '../../ground/event/events.ts';
import type { GatewayCount } from '../../person/delivery/gateway-counts.ts';
import type { CodeCount } from '../../person/verification/code-counters.ts';
import { addServiceCounts } from './service-count.repository.ts';

/** What is counted, and what the name of each count has besides it, parted by spaces. */
export type CountedThing =
  | 'sign_in_succeeded'
  | 'registered'
  /** The code of the refusal. */
  | 'sign_in_refused'
  /** The channel, then the calling code. */
  | 'code_sent'
  | 'code_used'
  | 'message_taken'
  | 'message_failed'
  | 'message_refused'
  /** The platform. */
  | 'link_made'
  | 'link_refreshed';

/** What the parts of this process have counted since its start. */
export interface CountSources extends Pick<LinkCounts, 'refreshes' | 'madeLinks'> {
  events(): readonly EventCount[];
  codes(): readonly Pick<CodeCount, 'channel' | 'prefix' | 'sent' | 'verified'>[];
  gateways(): readonly GatewayCount[];
}

type Count = readonly [CountedThing, string, number];

const ofEvents: Partial<Record<EventName, CountedThing>> = {
  'sign_in.succeeded': 'sign_in_succeeded',
  'account.registered': 'registered',
  'sign_in.refused': 'sign_in_refused',
};

const readAll = ({ events, codes, gateways, refreshes, madeLinks }: CountSources): Count[] => [
  ...events().flatMap(({ event, reason, count }): Count[] => {
    const thing = ofEvents[event];
    return thing ? [[thing, thing === 'sign_in_refused' ? reason : '', count]] : [];
  }),
  ...codes().flatMap(({ channel, prefix, sent, verified }): Count[] => [
    ['code_sent', `${channel} ${prefix}`, sent],
    ['code_used', `${channel} ${prefix}`, verified],
  ]),
  ...gateways().flatMap(({ channel, prefix, taken, failed, refused }): Count[] => [
    ['message_taken', `${channel} ${prefix}`, taken],
    ['message_failed', `${channel} ${prefix}`, failed],
    ['message_refused', `${channel} ${prefix}`, refused],
  ]),
  ...refreshes().map(({ platform, count }): Count => ['link_refreshed', platform, count]),
  ...madeLinks().map(({ platform, count }): Count => ['link_made', platform, count]),
];

const sumByName = (counts: readonly Count[]): Map<string, number> => {
  const sums = new Map<string, number>();
  for (const [thing, labels, count] of counts) {
    const name = `${thing} ${labels}`.trim();
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return sums;
};

/** Writes what this process counts, for the page of the service. No request waits for it, or writes anything of it. */
export interface ServiceCounts {
  /** Adds what was counted since the last time to the row of this minute. What cannot be written waits for the next time. */
  flush(): Promise<void>;
}

export const createServiceCounts = (db: Kysely<Database>, sources: CountSources): ServiceCounts => {
  const process = randomUUID();
  let written = new Map<string, number>();
  return {
    flush: async () => {
      const now = sumByName(readAll(sources));
      const added = [...now]
        .map(([name, count]) => [name, count - (written.get(name) ?? 0)] as const)
        .filter(([, count]) => count > 0);
      if (added.length === 0) return;
      await addServiceCounts(db, process, Object.fromEntries(added));
      written = now;
    },
  };
};
