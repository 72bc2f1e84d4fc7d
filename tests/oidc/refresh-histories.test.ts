import { expect, test } from 'vitest';
import { createRandom } from '../support/random.ts';
import { createSum, playHistory } from './refresh-histories.ts';
import { playJudged } from './refresh-judged.ts';

const HISTORIES = process.env.FULL ? 1_000_000 : 20_000;

test.each(['overlap', 'static'] as const)(
  'in mode %s no app loses its link and no thief keeps one, whatever networks and clocks do',
  async (mode) => {
    const { sum, faults } = await playJudged(HISTORIES, mode);
    expect(faults).toEqual([]);
    expect(sum.histories).toBe(HISTORIES);
    if (mode === 'overlap') expect(sum.thefts).toBeGreaterThan(HISTORIES / 5);
  },
);

test('a server that ends a link at the first repetition, and one that sees no theft, are found out', async () => {
  const { sum, add } = createSum();
  const wrong = (isStrict: boolean) => {
    let newest = 0;
    return {
      pass: async () => undefined,
      refresh: async (token: number) => {
        if (isStrict && token !== newest) return undefined;
        newest += 1;
        return newest;
      },
    };
  };
  for (let number = 0; number < 200; number += 1)
    for (const isStrict of [true, false])
      add(
        number,
        await playHistory({
          server: wrong(isStrict),
          first: 0,
          random: createRandom(number),
          steps: isStrict ? 6 : 0,
        }),
      );
  expect(sum.lost).toBeGreaterThan(50);
  expect(sum.missed).toBeGreaterThan(10);
});
