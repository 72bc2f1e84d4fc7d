import type { EventName } from '../src/ground/event/event-names.ts';
import type { EventFields, EventSink } from '../src/ground/event/events.ts';

export interface RecordedEvents extends EventSink {
  readonly all: readonly ({ event: EventName } & EventFields)[];
  names(): EventName[];
}

/** Records events for a test to read. */
export const recordEvents = (): RecordedEvents => {
  const all: ({ event: EventName } & EventFields)[] = [];
  return {
    all,
    emit: (event, fields = {}) => void all.push({ event, ...fields }),
    names: () => all.map(({ event }) => event),
  };
};
