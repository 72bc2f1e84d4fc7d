import { type Insertable, type Kysely, type SqlBool, sql, type Updateable } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { Stream, StreamOwner, StreamStatus } from './stream.ts';

/** The columns that statements name: docs/decisions/027-columns-by-name.md. */
const streamColumns = [
  'id',
  'brand',
  'client_id',
  'delivery_method',
  'endpoint_url',
  'authorization_header_sealed',
  'webhook_secrets_sealed',
  'service_account_sealed',
  'events_requested',
  'description',
  'status',
  'status_reason',
  'subjects',
  'failing_since',
  'hurried_at',
  'dropped_at',
  'verified_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof Stream)[];

/** Inserts the stream of a client that has none at the brand; undefined where it has one. */
export const insertStream = (
  db: Kysely<Database>,
  stream: Insertable<Database['signal_stream']>,
): Promise<Stream | undefined> =>
  db
    .insertInto('signal_stream')
    .values(stream)
    .onConflict((conflict) => conflict.columns(['client_id', 'brand']).doNothing())
    .returning(streamColumns)
    .executeTakeFirst();

export const findStreamOfOwner = (
  db: Kysely<Database>,
  { brand, clientId }: StreamOwner,
): Promise<Stream | undefined> =>
  db
    .selectFrom('signal_stream')
    .select(streamColumns)
    .where('brand', '=', brand)
    .where('client_id', '=', clientId)
    .executeTakeFirst();

export const findStream = (db: Kysely<Database>, id: string): Promise<Stream | undefined> =>
  db.selectFrom('signal_stream').select(streamColumns).where('id', '=', id).executeTakeFirst();

/** Locks a stream until the end of the transaction. */
export const lockStream = (trx: Kysely<Database>, id: string): Promise<Stream | undefined> =>
  trx
    .selectFrom('signal_stream')
    .select(streamColumns)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** All streams with the number of signals that wait in each, 1,000 at most. */
export const listStreams = (db: Kysely<Database>): Promise<(Stream & { waiting: number })[]> =>
  db
    .selectFrom('signal_stream')
    .select(streamColumns)
    .select(
      sql<number>`(select cast(count(*) as integer) from (
        select 1 from signal where stream_id = signal_stream.id and settled_at is null limit 1000
      ) as waits)`.as('waiting'),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const updateStream = (
  db: Kysely<Database>,
  id: string,
  set: Updateable<Database['signal_stream']>,
): Promise<Stream | undefined> =>
  db
    .updateTable('signal_stream')
    .set({ ...set, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .returning(streamColumns)
    .executeTakeFirst();

/**
 * What a status means for all that waits, in the columns of the stream: a disabled one holds nothing (Shared Signals
 * Framework 1.0 section 8.1.2.1), and of an enabled one everything is due.
 */
const consequences = {
  enabled: { failing_since: null, hurried_at: sql<Date>`now()` },
  paused: {},
  disabled: { dropped_at: sql<Date>`now()` },
} as const;

/** Sets the status of a stream. What it means for what waits is done in batches. */
export const updateStreamStatus = (
  db: Kysely<Database>,
  id: string,
  set: Pick<Stream, 'status' | 'status_reason'>,
): Promise<Stream | undefined> =>
  db
    .updateTable('signal_stream')
    .set({ ...set, updated_at: sql<Date>`now()` })
    .set(consequences[set.status])
    .where('id', '=', id)
    .returning(streamColumns)
    .executeTakeFirst();

/** Deletes a stream with all that waits in it. */
export const deleteStream = async (db: Kysely<Database>, id: string): Promise<void> => {
  await db.deleteFrom('signal_stream').where('id', '=', id).execute();
};

/** Deletes the streams of a client at all brands, with all that waits in them. */
export const deleteStreamsOfClient = async (db: Kysely<Database>, clientId: string): Promise<void> => {
  await db.deleteFrom('signal_stream').where('client_id', '=', clientId).execute();
};

/** Adds a signal about the stream itself. */
export const insertStreamSignal = async (
  db: Kysely<Database>,
  stream: Pick<Stream, 'id'>,
  { event, payload }: { event: 'verification' | 'stream-updated'; payload: Record<string, unknown> },
): Promise<void> => {
  await db
    .insertInto('signal')
    .values({ stream_id: stream.id, event, payload: JSON.stringify(payload) })
    .execute();
};

/** Whether the receiver asked to be verified within the last `seconds`. */
export const hasVerificationSince = async (
  db: Kysely<Database>,
  id: string,
  seconds: number,
): Promise<boolean> => {
  const row = await db
    .selectFrom('signal')
    .select('id')
    .where('stream_id', '=', id)
    .where('event', '=', 'verification')
    .where(sql<SqlBool>`created_at > now() - make_interval(secs => ${seconds})`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};

/** Pauses an enabled stream whose receiver has failed for `days`; answers whether it did. */
export const pauseFailing = async (
  db: Kysely<Database>,
  id: string,
  { days, reason }: { days: number; reason: string },
): Promise<boolean> => {
  const status: StreamStatus = 'paused';
  const { numUpdatedRows } = await db
    .updateTable('signal_stream')
    .set({ status, status_reason: reason, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', '=', 'enabled')
    .where(sql<SqlBool>`failing_since <= now() - make_interval(days => ${days})`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
