import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { isOutage } from '../../ground/db/outage.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { createLeasedQueue, type Leased, type LeasedQueue } from '../../ground/leased-queue/leased-queue.ts';
import { createShares } from '../../ground/leased-queue/shares.ts';
import type { Logger } from '../../ground/logger.ts';
import { every } from '../../ground/loop/every.ts';
import { LEASE_SECONDS } from '../stream/stream-batch.repository.ts';
import { createStreamBatches } from '../stream/stream-batches.ts';
import type { TokenParties } from './security-event-token.ts';
import { updateSignalUntried } from './settled-signal.repository.ts';
import { type LeasedSignal, updateDueSignals } from './signal.repository.ts';
import type { SignalSender } from './signal-sender.ts';
import { type Attempted, createSettling } from './signal-settling.ts';

/** How fast signals are sent, and how patiently. */
interface SignalPace {
  /** Tries of one process at the same time. */
  concurrency: number;
  /** How many signals of one stream are tried at a time, each of another account. */
  perStream: number;
  /** The same of a stream that fails: enough to hear that its receiver is back. */
  perFailing: number;
  /** Tries of one process at the same time at all streams that fail. */
  failing: number;
  /** How long a receiver may take to answer. */
  tryMs: number;
  /** How long a process leaves a stream alone after a try that failed. */
  restMs: number;
  /** Longer than any try lasts, or two processes could send the same signal. */
  leaseSeconds: number;
  pausesSeconds: readonly [number, ...number[]];
  failingDays: number;
  /** How often a process looks for signals that no notification announced. */
  pollMs: number;
  /** How long closing waits for tries under way. */
  closeMs: number;
}

const usualPace: SignalPace = {
  concurrency: 32,
  perStream: 4,
  perFailing: 1,
  failing: 8,
  tryMs: 5_000,
  restMs: 1_500,
  leaseSeconds: LEASE_SECONDS,
  pausesSeconds: [5, 30, 180, 900, 3_600],
  failingDays: 7,
  pollMs: 2_000,
  closeMs: 3_000,
};

export interface SignalDeliveryOptions {
  db: Kysely<Database>;
  /** By the delivery methods of streams. */
  senders: ReadonlyMap<string, SignalSender>;
  findParties: FindParties;
  events: EventSink;
  logger: Logger;
}

/** Who issues a signal, and whom it is about; undefined where the client is unknown by now. */
export type FindParties = (
  signal: Pick<LeasedSignal, 'brand' | 'client_id' | 'account_id'>,
) => Promise<TokenParties | undefined>;

/**
 * Sends signals to the endpoints of their streams: each at least once, and those of one account in their order, by
 * whichever process comes first. A signal that fails keeps back the later ones of its account, and nobody else's.
 */
export interface SignalDeliveryService extends Pick<LeasedQueue<LeasedSignal>, 'wake' | 'look' | 'close'> {}

export const createSignalDeliveryService = ({
  db,
  senders,
  findParties,
  events,
  logger,
}: SignalDeliveryOptions): SignalDeliveryService => {
  const pace = usualPace;
  const methods = [...senders.keys()];
  const shares = createShares<LeasedSignal>({
    holderOf: ({ stream_id }) => stream_id,
    perHolder: pace.perStream,
    restMs: pace.restMs,
  });

  const lease = async (limit: number, running: readonly LeasedSignal[]): Promise<Leased<LeasedSignal>> => {
    const failing = running.filter(({ failing_since }) => failing_since !== null).length;
    const items = await updateDueSignals(db, {
      ...pace,
      limit,
      failingLimit: pace.failing - failing,
      underWay: countByStream(running),
      methods,
      except: shares.toSpare(running),
    });
    // Behind a signal that is under way the next one of its account may be due.
    return { items, hasMore: items.length > 0 || running.length > 0 };
  };

  /** Undefined where the database does not answer, or the client is unknown by now. */
  const prepare = async (item: LeasedSignal) => {
    const sender = senders.get(item.delivery_method);
    const parties = await findParties(item).catch((error: unknown) => {
      if (isOutage(error)) return undefined;
      throw error;
    });
    return sender && parties ? { sender, parties } : undefined;
  };

  const attempt = async (item: LeasedSignal, closing: AbortSignal): Promise<Attempted> => {
    const prepared = await prepare(item);
    if (!prepared) return 'untried';
    const started = performance.now();
    const tookMs = () => Math.round(performance.now() - started);
    const deadline = AbortSignal.timeout(pace.tryMs);
    try {
      const signal = AbortSignal.any([closing, deadline]);
      const verdict = await prepared.sender(item, prepared.parties, signal);
      if (verdict.outcome === 'not_taken') shares.rest(item.stream_id);
      return { ...verdict, ms: tookMs() };
    } catch (error) {
      shares.rest(item.stream_id);
      return {
        outcome: deadline.aborted ? 'timed_out' : 'not_taken',
        detail: error instanceof Error ? error.message : String(error),
        ms: tookMs(),
      };
    }
  };

  const { wake, look, close } = createLeasedQueue<LeasedSignal, Attempted>({
    noun: 'signal',
    room: (taken) => pace.concurrency - taken,
    lease,
    attempt,
    settle: createSettling({ db, events, ...pace }),
    release: (item) => updateSignalUntried(db, item),
    pollMs: pace.pollMs,
    closeMs: pace.closeMs,
    logger,
  });
  const batching = startBatching({ db, logger, wake });
  return {
    wake,
    look,
    close: async () => {
      await Promise.all([batching.stop(), close()]);
    },
  };
};

const countByStream = (running: readonly LeasedSignal[]) =>
  [...Map.groupBy(running, ({ stream_id }) => stream_id)].map(([stream_id, items]) => ({
    stream_id,
    count: items.length,
  }));

const startBatching = ({
  db,
  logger,
  wake,
}: Pick<SignalDeliveryOptions, 'db' | 'logger'> & { wake: () => void }) =>
  every(usualPace.pollMs / 1_000, createStreamBatches({ db, wake }).carryOut, {
    onFailure: (err) => logger.warn({ err }, 'what waits in streams was not brought up to date'),
  });
