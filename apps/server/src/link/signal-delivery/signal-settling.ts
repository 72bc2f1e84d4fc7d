import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { insertStreamSignal, pauseFailing } from '../stream/stream.repository.ts';
import { GOOGLE } from '../stream/stream.ts';
import { doBatch } from '../stream/stream-batches.ts';
import {
  noteFailing,
  noteTaken,
  updateSignalDue,
  updateSignalSettled,
  updateSignalUntried,
} from './settled-signal.repository.ts';
import type { LeasedSignal } from './signal.repository.ts';
import type { Verdict } from './signal-sender.ts';

/** What a try came to: the receiver's verdict, why it could not be asked, or that nothing was sent. */
export type Attempted =
  | 'untried'
  | (Verdict & { ms: number })
  | { outcome: 'timed_out' | 'not_taken'; detail: string; ms: number };

export interface SettlingOptions {
  db: Kysely<Database>;
  events: EventSink;
  /** The pauses before the second try, the third and so on; the last one repeats. */
  pausesSeconds: readonly [number, ...number[]];
  /** A stream is paused whose receiver fails for so long. */
  failingDays: number;
}

/** So often a stream that sends nothing else calls its receiver to say so: the host may be somebody else's by now. */
const MOST_NOTICES = 4;

/** Makes the function that stores what a try came to and emits its event. */
export const createSettling = (options: SettlingOptions) => {
  const { db, events, pausesSeconds } = options;
  const fieldsOf = ({ client_id: clientId, brand, account_id }: LeasedSignal) => ({
    clientId,
    brand,
    ...(account_id !== null && { accountId: account_id }),
  });

  const settleEnded = async (signal: LeasedSignal, verdict: Verdict & { ms: number }) => {
    if (!(await updateSignalSettled(db, signal, verdict))) return;
    const { stream_id: streamId, failing_since: failingSince, event } = signal;
    const verified = event === 'verification' && verdict.outcome === 'told';
    const wasFailing = failingSince !== null;
    if (verified || wasFailing) await noteTaken(db, streamId, { verified, wasFailing });
    if (wasFailing) await inTransaction(db, (trx) => doBatch(trx, streamId));
    if (verdict.outcome === 'told') return events.emit('signal.told', { ...fieldsOf(signal), detail: event });
    const detail = `${event}: HTTP ${verdict.status} ${verdict.detail ?? ''}`.trim();
    events.emit('signal.not_told', { ...fieldsOf(signal), reason: 'refused', detail, final: true });
  };

  const settleFailed = async (signal: LeasedSignal, ended: Exclude<Attempted, 'untried'>) => {
    const { attempts, stream_id: streamId } = signal;
    const inSeconds = pausesSeconds[attempts - 1] ?? pausesSeconds.at(-1) ?? 0;
    const final = signal.status !== 'enabled' && attempts >= MOST_NOTICES;
    if (final) await updateSignalSettled(db, signal, ended);
    else await updateSignalDue(db, signal, { ...ended, inSeconds });
    await noteFailing(db, streamId);
    const status = 'status' in ended ? `HTTP ${ended.status} ` : '';
    events.emit('signal.not_told', {
      ...fieldsOf(signal),
      reason: ended.outcome,
      detail: `${signal.event}: ${status}${ended.detail ?? ''}`.trim(),
      count: attempts,
      final,
    });
    await pauseWhereFailing(options, signal);
  };

  return async (signal: LeasedSignal, ended: Attempted): Promise<void> => {
    if (ended === 'untried') return updateSignalUntried(db, signal, pausesSeconds[0]);
    if (ended.outcome === 'told' || ended.outcome === 'refused')
      return settleEnded(signal, ended as Verdict & { ms: number });
    return settleFailed(signal, ended);
  };
};

const pauseWhereFailing = async (
  { db, events, failingDays }: SettlingOptions,
  { stream_id: id, client_id: clientId, brand, delivery_method: method }: LeasedSignal,
): Promise<void> => {
  const reason = `The receiver took nothing for ${failingDays} days`;
  const isPaused = await inTransaction(db, async (trx) => {
    if (!(await pauseFailing(trx, id, { days: failingDays, reason }))) return false;
    const payload = { status: 'paused', reason };
    if (method !== GOOGLE) await insertStreamSignal(trx, { id }, { event: 'stream-updated', payload });
    return true;
  });
  if (isPaused) events.emit('signal.parked', { clientId, brand, detail: id });
};
