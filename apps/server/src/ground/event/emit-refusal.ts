import { AppError } from '../errors.ts';
import type { EventName } from './event-names.ts';
import type { EventFields, EventSink } from './events.ts';

/**
 * Does some work and emits an event where it is refused, with the code of the refusal as the `reason`. Other errors
 * emit no event: the log has them.
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
