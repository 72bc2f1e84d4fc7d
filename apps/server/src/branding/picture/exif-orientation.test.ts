import { expect, test } from 'vitest';
import { readOrientation, writeOrientation } from './exif-orientation.ts';

const big = (orientation: string, directory = '00000008') =>
  Buffer.from(`4d4d002a${directory}0001011200030000000100${orientation}000000000000`, 'hex');

test('a written orientation is read again, in either byte order', () => {
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    expect(readOrientation(writeOrientation(orientation))).toBe(orientation);
    expect(readOrientation(big(`0${orientation}`))).toBe(orientation);
  }
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['no header', Buffer.alloc(64)],
  ['a directory behind the end', big('06', 'fffffff0')],
  ['a directory at the very end', big('06', '00000019')],
  ['an orientation that there is not', big('09')],
  ['none', big('00')],
  ['an entry of another type', Buffer.from(big('06').toString('hex').replace('01120003', '01120004'), 'hex')],
  ['a directory cut off', big('06').subarray(0, 20)],
  ['entries that are not there', Buffer.from('4d4d002a00000008ffff0100', 'hex')],
])('%s is upright', (_name, tiff) => {
  expect(readOrientation(tiff)).toBe(1);
});
