import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { lockStream } from './stream.repository.ts';
import { dropBatch, hurryBatch, listStreamsInBatches } from './stream-batch.repository.ts';

/** Does for all that waits in streams what a change of a stream means for it, however much that is. */
export interface StreamBatches {
  /** Works until nothing is left, or the signal aborts. */
  carryOut(signal?: AbortSignal): Promise<void>;
}

export const createStreamBatches = ({
  db,
  wake,
}: {
  db: Kysely<Database>;
  /** Is called when signals are due. */
  wake: () => void;
}): StreamBatches => ({
  carryOut: async (signal) => {
    for (;;) {
      // Each stream in its turn: one that has much keeps no other waiting.
      const ids = await listStreamsInBatches(db);
      if (ids.length === 0) return;
      for (const id of ids) {
        if (signal?.aborted) return;
        await inTransaction(db, (trx) => doBatch(trx, id));
        wake();
      }
    }
  },
});

/** Drops all that is still to be dropped of a stream. What is sent again before that would be dropped with it. */
export const finishDropping = async (db: Kysely<Database>, id: string): Promise<void> => {
  const dropNext = async (trx: Kysely<Database>): Promise<boolean> => {
    if (!(await lockStream(trx, id))?.dropped_at) return false;
    await dropBatch(trx, id);
    return true;
  };
  while (await inTransaction(db, dropNext));
};

/** Does a batch of what is to be done in a stream, and locks it until the end of the transaction. */
export const doBatch = async (trx: Kysely<Database>, id: string): Promise<void> => {
  const stream = await lockStream(trx, id);
  if (!stream) return;
  if (stream.dropped_at) await dropBatch(trx, id);
  else if (stream.hurried_at && stream.status === 'enabled') await hurryBatch(trx, id);
};
