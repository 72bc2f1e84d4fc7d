import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import { mayBeTold } from '../../person/signal/waiting-value.repository.ts';
import { finishDropping } from '../stream/stream-batches.ts';
import {
  type DeliveredSignal,
  listDeliveredSignals,
  updateSignalsAgain,
} from './delivered-signals.repository.ts';

/** What became of the signals of a stream. */
export interface DeliveredSignals {
  /** The last ones, the newest first. */
  list(streamId: string): Promise<DeliveredSignal[]>;
  /**
   * Sends a settled signal again.
   * @throws AppError not_found where the stream has no settled one of that id, or its client may not be told it any more.
   */
  replayOne(streamId: string, jti: string): Promise<void>;
  /** Sends all settled signals since a time again, and answers how many. */
  replaySince(streamId: string, since: Date): Promise<number>;
}

const LISTED = 50;

export const createDeliveredSignals = ({
  db,
  wake,
}: {
  db: Kysely<Database>;
  /** Is called when signals are due again. */
  wake?: () => void;
}): DeliveredSignals => ({
  list: (streamId) => listDeliveredSignals(db, streamId, LISTED),
  replayOne: async (streamId, jti) => {
    await finishDropping(db, streamId);
    if ((await updateSignalsAgain(db, streamId, { jti }, mayBeTold())).count === 0)
      throw new AppError('not_found');
    wake?.();
  },
  replaySince: async (streamId, since) => {
    await finishDropping(db, streamId);
    let total = 0;
    for (let behind: string | undefined = '0'; behind !== undefined; ) {
      const { count, after } = await updateSignalsAgain(db, streamId, { since, after: behind }, mayBeTold());
      total += count;
      behind = after;
    }
    return total;
  },
});
