import type { Kysely } from 'kysely';
import type { Developer } from '../../clients/client/actor.ts';
import type { Database } from '../../ground/db/database.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { requireRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';

const HOUR_SECONDS = 3600;

/** How often one developer, or one machine, may change registrations in an hour. */
const CHANGES_PER_HOUR: Readonly<Record<Developer['kind'], number>> = { account: 300, machine: 3_000 };

export interface ChangeLimitOptions {
  db: Kysely<Database>;
  events: EventSink;
  now(): Date;
}

/** Counts a change of registrations. @throws AppError rate_limited */
export const createChangeLimit =
  ({ db, events, now }: ChangeLimitOptions) =>
  async ({ kind, id }: Developer): Promise<void> => {
    const key = `client_changes ${kind}:${id}`;
    const limit = { key, limit: CHANGES_PER_HOUR[kind], windowSeconds: HOUR_SECONDS };
    await requireRateLimits(db, [limit], now(), events);
  };
