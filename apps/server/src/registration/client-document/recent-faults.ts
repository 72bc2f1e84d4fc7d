import type { DocumentFault } from './document-fault.ts';

/** For so long a document that was not taken is not fetched again. */
const KEPT_MS = 30_000;
const SIZE = 1_000;

/** Remembers which documents were not taken a moment ago. */
export const createRecentFaults = () => {
  const faults = new Map<string, { fault: DocumentFault; endsAt: number }>();
  return {
    add: (id: string, fault: DocumentFault): void => {
      faults.delete(id);
      faults.set(id, { fault, endsAt: performance.now() + KEPT_MS });
      const [oldest] = faults.keys();
      if (faults.size > SIZE && oldest !== undefined) faults.delete(oldest);
    },

    /** @throws DocumentFault the fault of the document, where it was not taken a moment ago. */
    check: (id: string): void => {
      const known = faults.get(id);
      if (known && known.endsAt > performance.now()) throw known.fault;
    },
  };
};
