import type { ActivityDetail, ActivityKind } from '@candela/contract';
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { ClientHints } from '../../ground/browser/client-hints.ts';

/** What happened to an account. Rows are added and never changed; they go after 180 days, or with their account. */
export interface ActivityTable {
  id: string;
  account_id: string;
  kind: ActivityKind;
  /** Null for what happened at no brand: a command, or a time that came. */
  brand: string | null;
  /** The uid of the session in which it happened, or that it began. */
  session_uid: string | null;
  client_id: string | null;
  /** The digest of the pre-session cookie, where the browser signed in or came to be trusted. */
  device_hash: string | null;
  /** Empty where no browser did it. */
  user_agent: Generated<string>;
  client_hints: ColumnType<ClientHints | null, string | null | undefined, string | null>;
  /** As the browser said, by its name in the time zone database. */
  time_zone: string | null;
  /** Names the row to which repetitions within an hour are added; null where each stands alone. */
  fold: string | null;
  detail: ColumnType<ActivityDetail | null, string | null | undefined, string | null>;
  created_at: Generated<Date>;
}

export type ActivityRow = Selectable<ActivityTable>;

/** The columns that statements name: docs/decisions/027-columns-by-name.md. */
export const activityColumns = [
  'id',
  'account_id',
  'kind',
  'brand',
  'session_uid',
  'client_id',
  'device_hash',
  'user_agent',
  'client_hints',
  'time_zone',
  'fold',
  'detail',
  'created_at',
] as const satisfies readonly (keyof ActivityRow)[];

/** How often a folded row happened, where that was more than once. */
export interface ActivityCountTable {
  activity_id: string;
  count: number;
}

/** A person said that it was somebody else. */
export interface ActivityDisputeTable {
  activity_id: string;
  disputed_at: Generated<Date>;
}

declare module '../../ground/db/database.ts' {
  interface Database {
    activity: ActivityTable;
    activity_count: ActivityCountTable;
    activity_dispute: ActivityDisputeTable;
  }
}
