import { expect, test } from 'vitest';
import { layOutBars } from './bars.ts';

test('parts of a bar stand on each other, in proportion to the top', () => {
  const { top, bars } = layOutBars([[50, 25, 0]], { width: 10, height: 100, gap: 0 });
  expect(top).toBe(100);
  expect(bars).toEqual([
    {
      x: 0,
      width: 10,
      segments: [
        { series: 0, y: 50, height: 50 },
        { series: 1, y: 25, height: 25 },
      ],
    },
  ]);
});

test('a single error beside many tokens stays visible', () => {
  const { bars } = layOutBars([[100_000, 1]], { width: 10, height: 100 });
  expect(bars[0]?.segments[1]?.height).toBe(2);
});

test('the top is a round number, and never 0', () => {
  const topOf = (value: number) => layOutBars([[value]], { width: 10, height: 100 }).top;
  expect([0, 1, 4, 5, 11, 21, 51, 999].map(topOf)).toEqual([4, 4, 4, 5, 20, 50, 100, 1000]);
  expect(layOutBars([], { width: 10, height: 100 }).bars).toEqual([]);
});
