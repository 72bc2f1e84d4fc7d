import { AppError } from '../errors.ts';
import type { EventName } from './event-names.ts';
import type { EventFields, EventSink } from './events.ts';

/**
 * Does some work, and says that it was refused where it was: `reason` is the code of the refusal. A fault that
 * is no refusal is not said: the log has it.
 */
export const emitRefusal =
  (events: EventSink, event: EventName) =>
  async <T>(fields: EventFields, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) events.emit(event, { ...fields, reason: error.code });
      throw error;
    }
  };
