import { describe, expect, test } from 'vitest';
import { fitWithin, pictureType } from './picture-type.ts';

const bytesOf = (text: string) => [...new TextEncoder().encode(text)];

describe('the first bytes show the type of a file', () => {
  test.each([
    ['a JPEG', [0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46], 'image/jpeg'],
    ['a PNG', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 'image/png'],
    ['a GIF', bytesOf('GIF89a'), undefined],
    ['half a signature of PNG', [0x89, 0x50, 0x4e, 0x47], undefined],
    ['a page', bytesOf('<!doctyp'), undefined],
    ['nothing', [], undefined],
  ])('%s', (_, bytes, type) => {
    expect(pictureType(Uint8Array.from(bytes))).toBe(type);
  });
});

describe('a picture is made to fit', () => {
  test.each([
    [
      { width: 4000, height: 3000 },
      { width: 512, height: 384 },
    ],
    [
      { width: 3000, height: 4000 },
      { width: 384, height: 512 },
    ],
    [
      { width: 300, height: 200 },
      { width: 300, height: 200 },
    ],
    [
      { width: 9000, height: 1 },
      { width: 512, height: 1 },
    ],
  ])('%j becomes %j', (size, fitted) => {
    expect(fitWithin(size, 512)).toEqual(fitted);
  });
});
