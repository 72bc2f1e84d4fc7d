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

test('the top is a round number, never 0, and each line is at a whole number', () => {
  const layOut = (value: number) => layOutBars([[value]], { width: 10, height: 100 });
  const values = [0, 1, 4, 5, 6, 7, 11, 21, 51, 999];
  expect(values.map((value) => layOut(value).top)).toEqual([4, 4, 4, 6, 6, 10, 20, 50, 100, 1000]);
  expect(values.flatMap((value) => layOut(value).ticks).filter((tick) => !Number.isInteger(tick))).toEqual(
    [],
  );
  expect(layOutBars([], { width: 10, height: 100 }).bars).toEqual([]);
});
