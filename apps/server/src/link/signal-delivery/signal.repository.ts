import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { secondsFromNow } from '../../ground/db/sql-time.ts';

/** A signal with what its stream says of its delivery. */
interface StreamedSignal {
  id: string;
  jti: string;
  stream_id: string;
  account_id: string | null;
  sid: string | null;
  event: string;
  payload: Record<string, unknown>;
  created_at: Date;
  brand: string;
  client_id: string;
}

/** A signal that this process may send, until its lease ends. */
export interface LeasedSignal extends StreamedSignal {
  /** Of the stream: enabled, or the signal is the notice that it is not. */
  status: string;
  delivery_method: string;
  endpoint_url: string | null;
  authorization_header_sealed: string | null;
  webhook_secrets_sealed: string | null;
  service_account_sealed: string | null;
  /** Since when the receiver takes nothing; null where it took the last one. */
  failing_since: Date | null;
  /** This try included. */
  attempts: number;
}

/**
 * Whether no earlier signal of the same account waits in the stream. What is about the stream itself has an order of its
 * own, but for a change of the status, which waits for nothing.
 */
const isNext = sql<SqlBool>`(
  signal.event = 'stream-updated'
  or (
    (signal.account_id is null or not exists (
      select 1 from signal as earlier
      where earlier.stream_id = signal.stream_id and earlier.account_id = signal.account_id
        and earlier.id < signal.id and earlier.settled_at is null
    ))
    and (signal.account_id is not null or not exists (
      select 1 from signal as earlier
      where earlier.stream_id = signal.stream_id and earlier.account_id is null
        and earlier.id < signal.id and earlier.settled_at is null and earlier.event <> 'stream-updated'
    ))
  )
)`;

/**
 * The next signals of a `stream` beside this: any of an enabled one, and of another one the notice of its pause alone. Each
 * part is read where its stream has that status, so that what waits in a paused stream costs nothing. A stream that is
 * being emptied hands out nothing. The order is that of an index alone, so that no statement sorts all that is due.
 * @param which what else is asked of a signal
 * @param end what stands behind the order
 */
const nextOf = (columns: RawBuilder<unknown>, which: RawBuilder<SqlBool>, end: RawBuilder<unknown>) => {
  const part = (status: RawBuilder<SqlBool>) => sql`
    select ${columns} from (
      select ${columns} from signal
      where signal.stream_id = stream.id and signal.settled_at is null and stream.dropped_at is null
        and ${status} and ${which}
      order by signal.due_at
      ${end}
    ) as signal`;
  return sql`
    ${part(sql<SqlBool>`stream.status = 'enabled' and ${isNext}`)}
    union all
    ${part(sql<SqlBool>`stream.status <> 'enabled' and signal.event = 'stream-updated'`)}`;
};

export interface SignalLease {
  limit: number;
  /** How many of all streams together that fail. */
  failingLimit: number;
  /** How many of one stream, what is under way included. */
  perStream: number;
  /** How many of one stream that fails, what is under way included. */
  perFailing: number;
  /** How many of which streams this process has under way. */
  underWay: readonly { stream_id: string; count: number }[];
  /** The delivery methods by which this side calls. */
  methods: readonly string[];
  /** Streams that are left alone. */
  except: readonly string[];
  leaseSeconds: number;
}

const isDue = sql<SqlBool>`signal.due_at <= now()`;

/**
 * What is due of all streams, with the number that each would have in the queue of its stream, behind what is under way
 * (`turn`), and among all that is due of streams that fail, or of the others (`place`).
 */
const dueInTurns = ({ perStream, underWay, methods, except }: SignalLease) => sql`
  select mine.id, mine.due_at, mine.fails, mine.turn,
    row_number() over (partition by mine.fails order by mine.turn, mine.due_at, mine.id) as place
  from (
    select due.id, due.due_at, stream.failing_since is not null as fails,
      coalesce(under_way.count, 0)
        + row_number() over (partition by stream.id order by due.due_at, due.id) as turn
    from signal_stream as stream
    join client on client.id = stream.client_id and not client.disabled
    left join jsonb_to_recordset(cast(${JSON.stringify(underWay)} as jsonb))
      as under_way(stream_id text, count integer) on under_way.stream_id = stream.id
    cross join lateral (
      ${nextOf(sql`signal.id, signal.due_at`, isDue, sql`limit ${sql.lit(perStream)} for update skip locked`)}
    ) as due
    where stream.delivery_method = any(cast(${methods} as text[]))
      and stream.id <> all(cast(${except} as text[]))
  ) as mine`;

/**
 * Leases due signals to this process: the next of each account, and none that another process holds. Streams take turns:
 * the first of each comes before the second of any. One that fails comes a turn later, and all that fail have a share of
 * their own, so that others do not wait for them.
 */
export const updateDueSignals = async (db: Kysely<Database>, lease: SignalLease): Promise<LeasedSignal[]> => {
  const { limit, failingLimit, perStream, perFailing, leaseSeconds } = lease;
  const { rows } = await sql<LeasedSignal>`
    with leased as (
      update signal set attempts = attempts + 1, due_at = ${secondsFromNow(leaseSeconds)}
      where id = any(array(
        select due.id from (${dueInTurns(lease)}) as due
        where (not due.fails and due.turn <= ${sql.lit(perStream)})
          or (due.fails and due.turn <= ${sql.lit(perFailing)} and due.place <= ${sql.lit(failingLimit)})
        order by due.turn + cast(due.fails as integer), due.due_at
        limit ${sql.lit(limit)}
      ))
      returning id, jti, stream_id, account_id, sid, event, payload, created_at, attempts
    )
    select leased.id, leased.jti, leased.stream_id, leased.account_id, leased.sid, leased.event, leased.payload,
      leased.created_at, leased.attempts, stream.brand, stream.client_id, stream.status, stream.delivery_method,
      stream.endpoint_url, stream.authorization_header_sealed, stream.webhook_secrets_sealed,
      stream.service_account_sealed, stream.failing_since
    from leased join signal_stream as stream on stream.id = leased.stream_id`.execute(db);
  return rows;
};

const polledColumns = sql`signal.id, signal.jti, signal.account_id, signal.sid, signal.event, signal.payload,
  signal.created_at, signal.due_at`;

/** A signal that waits for its receiver to poll. */
export type PolledSignal = Omit<StreamedSignal, 'stream_id' | 'brand' | 'client_id'>;

/**
 * The signals of a stream that may be handed out: the next of each account, the oldest first. A JSON object has no order
 * (RFC 8936 section 2.3), so that with two of an account the later one could be read first.
 */
export const listPolledSignals = async (
  db: Kysely<Database>,
  streamId: string,
  limit: number,
): Promise<PolledSignal[]> => {
  const { rows } = await sql<PolledSignal>`
    select next.id, next.jti, next.account_id, next.sid, next.event, next.payload, next.created_at
    from signal_stream as stream
    cross join lateral (
      ${nextOf(polledColumns, sql<SqlBool>`true`, sql`limit ${sql.lit(limit)}`)}
    ) as next
    where stream.id = ${streamId}
    order by next.due_at, next.id`.execute(db);
  return rows;
};
