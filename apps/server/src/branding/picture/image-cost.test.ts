import { expect, test } from 'vitest';
import { requireAffordable } from './image-cost.ts';

const judge = (width: number, height: number): string | undefined => {
  try {
    requireAffordable({ width, height, decodedBytes: width * height });
    return undefined;
  } catch (error) {
    return ((error as Error).cause as Error).message;
  }
};

test.each([
  [4096, 4096, undefined],
  [16_384, 1024, undefined],
  [1, 16_384, undefined],
  [16_385, 1, 'a side of too many pixels'],
  [1, 4096 * 4096, 'a side of too many pixels'],
  [4097, 4096, 'too many pixels'],
  [0, 1, 'a picture without pixels'],
])('a picture of %i x %i: %s', (width, height, verdict) => {
  expect(judge(width, height)).toBe(verdict);
});
