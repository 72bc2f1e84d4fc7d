import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import type { Stream } from '../stream/stream.ts';
import { hasOtherWaiting, settleAcknowledged, settleRefused } from './polled-signals.repository.ts';
import { claimsOfEvent, type TokenSigner } from './security-event-token.ts';
import { noteTaken } from './settled-signal.repository.ts';
import { listPolledSignals, type PolledSignal } from './signal.repository.ts';
import type { FindParties } from './signal-delivery.service.ts';
import type { WaitingPolls } from './waiting-polls.ts';

/** What a receiver asks for and acknowledges (RFC 8936 section 2.4). */
interface PollRequest {
  /** 0: nothing is asked for. */
  maxEvents?: number | undefined;
  returnImmediately?: boolean | undefined;
  ack?: readonly string[] | undefined;
  setErrs?: Readonly<Record<string, { err: string; description?: string | undefined }>> | undefined;
}

/** RFC 8936 section 2.3: tokens by their ids. */
interface PollAnswer {
  sets: Record<string, string>;
  moreAvailable: boolean;
}

export interface SignalPollOptions {
  db: Kysely<Database>;
  sign: TokenSigner;
  findParties: FindParties;
  polls: WaitingPolls;
  events: EventSink;
}

export interface SignalPollService {
  /** Settles what is acknowledged, and hands out what waits; waits for it at most 20 seconds. @throws AppError not_found */
  poll(stream: Stream, request: PollRequest): Promise<PollAnswer>;
}

const MOST_EVENTS = 100;
/** Proxies cut an answer off that takes a minute. */
const LONGEST_MS = 20_000;
/** A wait looks by itself too, where changes are not heard. */
const LOOK_MS = 2_000;

export const createSignalPollService = (options: SignalPollOptions): SignalPollService => {
  const { db, sign, findParties, polls } = options;

  const waitFor = async (streamId: string, limit: number, ms: number): Promise<PolledSignal[]> => {
    const end = performance.now() + ms;
    for (let mayWait = true; ; ) {
      const found = await listPolledSignals(db, streamId, limit);
      const left = end - performance.now();
      if (found.length > 0 || left <= 0 || !mayWait) return found;
      mayWait = await polls.wait(streamId, Math.min(left, LOOK_MS));
    }
  };

  const tokenOf = async (stream: Stream, signal: PolledSignal): Promise<[string, string]> => {
    const { brand, client_id, id: stream_id } = stream;
    const parties = await findParties({ brand, client_id, account_id: signal.account_id });
    if (!parties) throw new AppError('not_found');
    return [signal.jti, await sign(claimsOfEvent({ ...signal, stream_id }, parties))];
  };

  return {
    poll: async (stream, request) => {
      await settle(options, stream, request);
      const limit = Math.min(request.maxEvents ?? MOST_EVENTS, MOST_EVENTS);
      const found =
        limit === 0 ? [] : await waitFor(stream.id, limit, request.returnImmediately ? 0 : LONGEST_MS);
      const sets = await Promise.all(found.map((signal) => tokenOf(stream, signal)));
      const isHeld = stream.status !== 'enabled';
      const ids = found.map(({ id }) => id);
      const moreAvailable = !isHeld && (await hasOtherWaiting(db, stream.id, ids));
      return { sets: Object.fromEntries(sets), moreAvailable };
    },
  };
};

/** Settles what the receiver says of signals of its own stream; what it says of others counts for nothing. */
const settle = async (
  { db, events }: SignalPollOptions,
  { id, client_id: clientId, brand }: Stream,
  { ack = [], setErrs = {} }: PollRequest,
): Promise<void> => {
  if (ack.length > 0) {
    const settled = await settleAcknowledged(db, id, ack);
    if (settled.includes('verification')) await noteTaken(db, id, { verified: true });
    for (const detail of settled) events.emit('signal.told', { clientId, brand, detail });
  }
  const refused = Object.entries(setErrs).map(([jti, { err, description }]) => ({
    jti,
    detail: `${err} ${description ?? ''}`.trim().slice(0, 300).toWellFormed(),
  }));
  if (refused.length === 0) return;
  const count = await settleRefused(db, id, refused);
  if (count > 0) events.emit('signal.not_told', { clientId, brand, reason: 'refused', count, final: true });
};
