import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';

/** What waits in the database for some process to work it off. */
export interface Backlog {
  /** By queue: how many items are due, and since when the one that waits longest is. */
  queues: { queue: string; due: number; oldestSeconds: number }[];
  /** By swept table: how long ago the row ended that is over longest and still there; 0 where there is none. */
  expired: { table: string; oldestSeconds: number }[];
  /** Streams whose receivers fail: enabled ones, and ones that were paused for it. */
  failingStreams: number;
  /** Links that ended in the last day, by the platform of their app, which is its preset, and by reason. */
  endedLinks: { platform: string; reason: string; count: number }[];
  /** For how long the signing keys sign that were rotated last; undefined where there is no key. */
  signingKeySeconds: number | undefined;
}

/** Longer queues count as this long: counting must stay cheap when they are longest. */
const MOST = 10_000;

/** By queue: its items that are due, each with the time since when. Leases move `due_at` on, `created_at` stays. */
const dueItems = [
  ['mail', sql`select created_at as since from message where channel = 'email'`],
  ['sms', sql`select created_at as since from message where channel = 'sms'`],
  ['logouts', sql`select created_at as since from backchannel_logout order by due_at`],
  [
    'signals',
    sql`select signal.created_at as since from signal_stream
      join signal on signal.stream_id = signal_stream.id and signal.settled_at is null
      where signal_stream.status = 'enabled' and signal_stream.endpoint_url is not null`,
  ],
  ['logos', sql`select due_at as since from client_logo where due_at <= now() order by due_at`],
  [
    'identifier_changes',
    sql`select due_at as since from identifier_change where done_at is null and due_at <= now() order by due_at`,
  ],
] as const;

/** Tables whose rows go as soon as they are over. Each has an index on `expires_at`, so that asking costs nothing. */
const sweptTables = [
  'access_token',
  'refresh_token',
  'authorization_grant',
  'session',
  'oidc_model',
] as const;

const age = (time: ReturnType<typeof sql>) =>
  sql`cast(coalesce(greatest(0, extract(epoch from now() - ${time})), 0) as double precision)`;

/** A client that is deleted by now, or has no preset, is of no platform of its own. */
const endedLinks = sql`
  select 'ended', platform || ' ' || reason, cast(count(*) as integer), cast(0 as double precision)
  from (
    select coalesce(client.metadata->>'preset', 'other') as platform, reason
    from ended_link left join client on client.id = ended_link.client_id
    where ended_at > now() - interval '1 day' limit ${sql.lit(MOST)}
  ) as ended group by platform, reason`;

interface Row {
  kind: 'queue' | 'expired' | 'key' | 'streams' | 'ended';
  /** Of a link that ended: its platform and the reason. */
  name: string;
  due: number;
  seconds: number;
}

/** Asks for all of it in one statement. */
export const findBacklog = async (db: Kysely<Database>): Promise<Backlog> => {
  const parts = [
    ...dueItems.map(
      ([name, items]) => sql`
        select 'queue' as kind, ${sql.lit(name)} as name, cast(count(*) as integer) as due, ${age(sql`min(since)`)} as seconds
        from (${items} limit ${sql.lit(MOST)}) as items`,
    ),
    ...sweptTables.map(
      (table) => sql`
        select 'expired', ${sql.lit(table)}, 0, ${age(sql`(select min(expires_at) from ${sql.table(table)})`)}`,
    ),
    sql`
      select 'streams', 'failing', cast(count(*) as integer), 0
      from signal_stream where failing_since is not null`,
    sql`
      select 'key', 'signing', cast(count(*) as integer), ${age(sql`min(activated_at)`)}
      from signing_key where status = 'current'`,
    endedLinks,
  ];
  const { rows } = await sql<Row>`${sql.join(parts, sql` union all `)}`.execute(db);
  const of = (kind: Row['kind']) => rows.filter((row) => row.kind === kind);
  const [key] = of('key');
  const [streams] = of('streams');
  return {
    queues: of('queue').map(({ name, due, seconds }) => ({ queue: name, due, oldestSeconds: seconds })),
    expired: of('expired').map(({ name, seconds }) => ({ table: name, oldestSeconds: seconds })),
    failingStreams: streams?.due ?? 0,
    endedLinks: of('ended').map(({ name, due }) => {
      const [platform = '', reason = ''] = name.split(' ');
      return { platform, reason, count: due };
    }),
    signingKeySeconds: key && key.due > 0 ? key.seconds : undefined,
  };
};
