import type { Insertable, Kysely } from 'kysely';
import type { Database } from '../src/ground/db/database.ts';
import type { SignalLease } from '../src/link/signal-delivery/signal.repository.ts';
import { PUSH } from '../src/link/stream/stream.ts';
import type { SignalStreamTable } from '../src/person/signal/signal.table.ts';
import { signalEvents } from '../src/person/signal/signal-events.ts';

/** What a process asks for that has nothing under way and calls receivers. */
export const usualLease: SignalLease = {
  limit: 32,
  failingLimit: 8,
  perStream: 4,
  perFailing: 1,
  underWay: [],
  methods: [PUSH],
  except: [],
  leaseSeconds: 15,
};

/** A stream of a client that asks for every event, unless `stream` says otherwise. */
export const insertStream = async (
  db: Kysely<Database>,
  stream: Pick<SignalStreamTable, 'id' | 'brand' | 'client_id'> & Partial<Insertable<SignalStreamTable>>,
): Promise<void> => {
  await db
    .insertInto('signal_stream')
    .values({
      delivery_method: 'urn:ietf:rfc:8936',
      events_requested: Object.keys(signalEvents),
      ...stream,
    })
    .execute();
};

/** What a stream was told, in its order. */
export const listSignals = (db: Kysely<Database>, streamId: string) =>
  db
    .selectFrom('signal')
    .select(['event', 'payload', 'sid', 'account_id'])
    .where('stream_id', '=', streamId)
    .orderBy('id')
    .execute();
