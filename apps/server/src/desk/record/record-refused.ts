import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import { type RecordActor, type Recorded, recordLook } from './record.service.ts';

/** Does something, and records where it is refused: its transaction is gone then, and its entry with it. */
export const recordRefused = async <T>(
  db: Kysely<Database>,
  actor: RecordActor,
  { subject, ...recorded }: Recorded,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) {
      const refused = {
        subject: [subject, error.code].filter(Boolean).join(' '),
        outcome: 'refused' as const,
      };
      await recordLook(db, actor, { ...recorded, ...refused });
    }
    throw error;
  }
};
