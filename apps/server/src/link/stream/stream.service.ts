import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import type { OutboundRules } from '../../ground/outbound/outbound-request.ts';
import { sealingKeys } from '../../ground/seal.ts';
import {
  deleteStream,
  findStream,
  findStreamOfOwner,
  hasVerificationSince,
  insertStream,
  insertStreamSignal,
  listStreams,
  lockStream,
  updateStream,
  updateStreamStatus,
} from './stream.repository.ts';
import { GOOGLE, type Stream, type StreamDraft, type StreamOwner, type StreamStatus } from './stream.ts';
import { doBatch } from './stream-batches.ts';
import { columnsOfChange, columnsOfDraft, type StreamColumnsOptions } from './stream-columns.ts';
import { streamSealing, turnOverSecret } from './webhook-secret.ts';

export interface StreamServiceOptions {
  db: Kysely<Database>;
  /** SECRET_KEY, newest first. */
  secretKeys: readonly string[];
  outboundRules: OutboundRules;
  events: EventSink;
  now(): Date;
}

/** A receiver may ask to be verified once in so many seconds. */
export const MIN_VERIFICATION_SECONDS = 5;

/** Who changes a stream: its receiver, or this side, which tells the receiver then. */
type StreamChanger = 'receiver' | 'transmitter';

interface StatusChange {
  status: StreamStatus;
  reason?: string | undefined;
  by: StreamChanger;
}

/** What else the transaction of a change writes. */
export type Alongside = (trx: Kysely<Database>) => Promise<void>;

/** Streams of signals, one for each client and brand (Shared Signals Framework 1.0 section 8). */
export interface StreamService {
  findOfOwner(owner: StreamOwner): Promise<Stream | undefined>;
  find(id: string): Promise<Stream | undefined>;
  list(): Promise<(Stream & { waiting: number })[]>;
  /** @throws AppError stream_exists, and what is wrong with the draft */
  create(owner: StreamOwner, draft: StreamDraft, alongside?: Alongside): Promise<Stream>;
  /** @throws AppError not_found, and what is wrong with the draft */
  replace(id: string, draft: StreamDraft): Promise<Stream>;
  /** Changes what is given. @throws AppError not_found, and what is wrong with the change */
  change(id: string, change: Partial<StreamDraft>, alongside?: Alongside): Promise<Stream>;
  /** @throws AppError not_found */
  setStatus(id: string, change: StatusChange): Promise<Stream>;
  /** @throws AppError not_found */
  remove(id: string, alongside?: Alongside): Promise<void>;
  /** Sends a verification event; the receiver may give it a `state`. @throws AppError rate_limited, not_found */
  verify(id: string, asked: { by: StreamChanger; state?: string | undefined }): Promise<void>;
  /** Makes a new secret, and answers it once. @throws AppError not_found, stream_not_webhook */
  turnOverSecret(id: string, alongside?: Alongside): Promise<string>;
}

const required = <T>(found: T | undefined): T => {
  if (found === undefined) throw new AppError('not_found');
  return found;
};

export const createStreamService = (options: StreamServiceOptions): StreamService => {
  const { db, secretKeys, outboundRules, now } = options;
  const keys = sealingKeys(secretKeys, streamSealing);
  const columns: StreamColumnsOptions = { keys, outboundRules, now };
  const locked = <T>(id: string, work: (trx: Kysely<Database>, stream: Stream) => Promise<T>): Promise<T> =>
    inTransaction(db, async (trx) => work(trx, required(await lockStream(trx, id))));

  return {
    findOfOwner: (owner) => findStreamOfOwner(db, owner),
    find: (id) => findStream(db, id),
    list: () => listStreams(db),

    create: ({ brand, clientId }, draft, alongside) =>
      inTransaction(db, async (trx) => {
        const stream = await insertStream(trx, {
          ...columnsOfDraft(draft, undefined, columns),
          id: randomUUID(),
          brand,
          client_id: clientId,
        });
        if (!stream) throw new AppError('stream_exists');
        await alongside?.(trx);
        return stream;
      }),

    replace: (id, draft) =>
      locked(id, async (trx, before) =>
        required(await updateStream(trx, id, columnsOfDraft(draft, before, columns))),
      ),

    change: (id, change, alongside) =>
      locked(id, async (trx, before) => {
        await alongside?.(trx);
        return required(await updateStream(trx, id, columnsOfChange(change, before, columns)));
      }),

    ...createStatusKeeping(options, locked),

    remove: (id, alongside) =>
      locked(id, async (trx) => {
        await deleteStream(trx, id);
        await alongside?.(trx);
      }),

    verify: (id, { by, state }) =>
      locked(id, async (trx, stream) => {
        if (by === 'receiver' && (await hasVerificationSince(trx, id, MIN_VERIFICATION_SECONDS)))
          throw new AppError('rate_limited', { retryAfterSeconds: MIN_VERIFICATION_SECONDS });
        // A disabled stream holds nothing for later.
        if (stream.status === 'disabled') return;
        const payload = state === undefined ? {} : { state };
        await insertStreamSignal(trx, stream, { event: 'verification', payload });
      }),

    turnOverSecret: (id, alongside) =>
      locked(id, async (trx, stream) => {
        if (stream.delivery_method !== 'webhook') throw new AppError('stream_not_webhook');
        const { secret, sealed } = turnOverSecret(keys, stream.webhook_secrets_sealed, now());
        await updateStream(trx, id, { webhook_secrets_sealed: sealed });
        await alongside?.(trx);
        return secret;
      }),
  };
};

type Locked = <T>(id: string, work: (trx: Kysely<Database>, stream: Stream) => Promise<T>) => Promise<T>;

const createStatusKeeping = (
  { events }: StreamServiceOptions,
  locked: Locked,
): Pick<StreamService, 'setStatus'> => ({
  setStatus: async (id, { status, reason, by }) => {
    const stream = await locked(id, async (trx, before) => {
      const after = required(
        await updateStreamStatus(trx, id, { status, status_reason: reason?.slice(0, 500) ?? null }),
      );
      // What a batch leaves over is done in the background.
      await doBatch(trx, id);
      // Google knows no event about the stream itself.
      if (by === 'transmitter' && before.status !== status && after.delivery_method !== GOOGLE)
        await insertStreamSignal(trx, after, {
          event: 'stream-updated',
          payload: { status, ...(reason && { reason }) },
        });
      return after;
    });
    events.emit('stream.status_changed', {
      clientId: stream.client_id,
      brand: stream.brand,
      reason: status,
      ...(by === 'transmitter' && { actor: 'operator' }),
    });
    return stream;
  },
});
