import { createRandom } from '../support/random.ts';
import { createSum, playHistory, type RefreshServer } from './refresh-histories.ts';
import { createRows } from './refresh-rows.ts';

const STEPS = 12;

const createServer = (mode: 'overlap' | 'static'): RefreshServer<number> => {
  let now = 1_700_000_000;
  const rows = createRows(mode, now);
  return {
    refresh: async (index) => rows.present(index, now).successor,
    pass: async (seconds) => {
      now += seconds;
    },
  };
};

/** Plays histories 0 to `count` against the function by which the server judges a refresh. */
export const playJudged = async (count: number, mode: 'overlap' | 'static') => {
  const { sum, faults, add } = createSum();
  for (let number = 0; number < count; number += 1) {
    const random = createRandom(number);
    const keepsFirst = mode === 'static';
    add(
      number,
      await playHistory({ server: createServer(mode), first: 0, random, steps: STEPS, keepsFirst }),
    );
  }
  return { sum, faults };
};
