import { expect, test } from 'vitest';
import { pictureSignatures, pictureTypes } from './picture.ts';

test('no picture begins as one of another type does', () => {
  const firstBytes = pictureTypes.map((type) => pictureSignatures[type][0]);
  expect(new Set(firstBytes).size).toBe(pictureTypes.length);
});
