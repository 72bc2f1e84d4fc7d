import { isOutage } from '../db/outage.ts';

/** Outcomes of tries on their way to the database. Those that an outage kept from it are stored when it is back. */
export interface Outcomes {
  /** Stores the outcome of an item. After an outage it is kept for `storeAgain`, and the error is thrown all the same. */
  store(id: string, store: () => Promise<void>): Promise<void>;
  /** Stores what is kept; throws what the database throws. */
  storeAgain(): Promise<void>;
  /** Whether an item has been tried, and its outcome is not stored yet. */
  has(id: string): boolean;
}

export const createOutcomes = (): Outcomes => {
  const underWay = new Set<string>();
  const kept = new Map<string, () => Promise<void>>();
  return {
    store: async (id, store) => {
      underWay.add(id);
      try {
        await store();
      } catch (error) {
        if (isOutage(error)) kept.set(id, store);
        throw error;
      } finally {
        underWay.delete(id);
      }
    },
    storeAgain: async () => {
      const storeOne = async (id: string, store: () => Promise<void>) => {
        try {
          await store();
        } catch (error) {
          // Any other error would come back at each look: the item is due again when its lease has run out.
          if (!isOutage(error)) kept.delete(id);
          throw error;
        }
        kept.delete(id);
      };
      await Promise.all([...kept].map(([id, store]) => storeOne(id, store)));
    },
    has: (id) => underWay.has(id) || kept.has(id),
  };
};
