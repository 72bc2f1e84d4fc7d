import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createAnimatedPng, createPng, pngChunk } from '../../../testing/pictures.ts';
import { stripPng } from './png-structure.ts';

const plain = createPng({ width: 4, height: 4 });
const why = (bytes: Buffer): string => {
  try {
    stripPng(bytes);
    return 'it is taken';
  } catch (error) {
    expect(error).toMatchObject({ code: 'image_unreadable' });
    return ((error as Error).cause as Error).message;
  }
};

/** A PNG of 4 x 4 with these chunks; IHDR has this bit depth and colour type. */
const pngOf = (depth: number, colour: number, ...chunks: [type: string, data: Buffer][]) => {
  const header = Buffer.from([0, 0, 0, 4, 0, 0, 0, 4, depth, colour, 0, 0, 0]);
  const all: [string, Buffer][] = [['IHDR', header], ...chunks, ['IEND', Buffer.alloc(0)]];
  return Buffer.concat([plain.subarray(0, 8), ...all.map(([type, data]) => pngChunk(type, data))]);
};
const data = deflateSync(Buffer.alloc(4 * 40));
const bytes = (count: number) => Buffer.alloc(count, 1);

test('chunks that the pixels do not need are removed, and the rest is unchanged', () => {
  const texts = ['tEXt', 'zTXt', 'iTXt', 'iCCP', 'sPLT', 'hIST', 'pHYs', 'tIME', 'prVt'];
  const chunks = texts.map((type) => pngChunk(type, Buffer.from('secret')));
  const full = createPng({ width: 4, height: 4, chunks });
  expect(stripPng(full)).toEqual({ width: 4, height: 4, bytes: plain });
  expect(stripPng(Buffer.concat([full, Buffer.from('<html>')])).bytes).toEqual(plain);
  const broken = pngChunk('tEXt', Buffer.from('secret')).fill(0, 14);
  expect(stripPng(createPng({ width: 4, height: 4, chunks: [broken] })).bytes).toEqual(plain);
});

test('chunks that the pixels need are kept, and the image data become one chunk', () => {
  const kept: [string, Buffer][] = [
    ['gAMA', bytes(4)],
    ['cHRM', bytes(32)],
    ['sRGB', bytes(1)],
    ['PLTE', bytes(12)],
    ['tRNS', bytes(4)],
  ];
  const split: [string, Buffer][] = [
    ['IDAT', data.subarray(0, 5)],
    ['IDAT', Buffer.alloc(0)],
    ['IDAT', data.subarray(5)],
  ];
  const stripped = stripPng(pngOf(8, 3, ...kept, ...split));
  expect(stripped.bytes).toEqual(pngOf(8, 3, ...kept, ['IDAT', data]));
});

test('the largest allowed number of pixels is accepted, in few bytes', () => {
  const grey = createPng({ width: 4096, height: 4096, depth: 16, color: 0 });
  expect(stripPng(grey)).toMatchObject({ width: 4096, height: 4096 });
});

test.each<[string, Buffer, string]>([
  ['cut off', plain.subarray(0, -1), 'cut off'],
  ['its signature alone', plain.subarray(0, 8), 'cut off'],
  ['without an end', plain.subarray(0, -12), 'cut off'],
  [
    'a length of 2^32 - 1',
    Buffer.concat([plain.subarray(0, 8), bytes(4).fill(255), plain.subarray(12)]),
    'longer than',
  ],
  [
    'a length of one more',
    Buffer.concat([plain.subarray(0, -12), Buffer.from([0, 0, 0, 1]), plain.subarray(-8)]),
    'longer than',
  ],
  ['a wrong checksum', Buffer.from(plain).fill(0, 29, 33), 'checksum'],
  ['an animation', createAnimatedPng(), 'moves'],
  ['a frame behind the picture', pngOf(8, 2, ['IDAT', data], ['fdAT', bytes(8)]), 'moves'],
  ['an unknown chunk that is needed', pngOf(8, 2, ['CgBI', bytes(4)], ['IDAT', data]), 'unknown chunk'],
  ['a chunk without a name', pngOf(8, 2, ['\0\0\0\0', bytes(4)], ['IDAT', data]), 'unknown chunk'],
  ['the header twice', pngOf(8, 2, ['IHDR', bytes(13)], ['IDAT', data]), 'out of place'],
  [
    'a text before the header',
    Buffer.concat([plain.subarray(0, 8), pngChunk('tEXt', bytes(1)), plain.subarray(8)]),
    'without its header',
  ],
  ['the palette twice', pngOf(8, 3, ['PLTE', bytes(3)], ['PLTE', bytes(3)], ['IDAT', data]), 'out of place'],
  ['the palette behind the data', pngOf(8, 3, ['IDAT', data], ['PLTE', bytes(3)]), 'out of place'],
  [
    'the transparency before the palette',
    pngOf(8, 3, ['tRNS', bytes(1)], ['PLTE', bytes(3)], ['IDAT', data]),
    'out of place',
  ],
  ['data in two places', pngOf(8, 2, ['IDAT', data], ['tEXt', bytes(1)], ['IDAT', data]), 'out of place'],
  ['no palette', pngOf(8, 3, ['IDAT', data]), 'without its palette'],
  ['a palette of 257', pngOf(8, 3, ['PLTE', bytes(771)], ['IDAT', data]), 'palette'],
  ['a palette of 3 for a bit', pngOf(1, 3, ['PLTE', bytes(9)], ['IDAT', data]), 'palette'],
  ['a third of a colour', pngOf(8, 3, ['PLTE', bytes(4)], ['IDAT', data]), 'palette'],
  ['an empty palette', pngOf(8, 3, ['PLTE', bytes(0)], ['IDAT', data]), 'palette'],
  ['a palette for grey', pngOf(8, 0, ['PLTE', bytes(3)], ['IDAT', data]), 'palette'],
  [
    'more transparency than colours',
    pngOf(8, 3, ['PLTE', bytes(3)], ['tRNS', bytes(2)], ['IDAT', data]),
    'transparency',
  ],
  ['transparency beside alpha', pngOf(8, 6, ['tRNS', bytes(6)], ['IDAT', data]), 'transparency'],
  ['a gamma of 5 bytes', pngOf(8, 2, ['gAMA', bytes(5)], ['IDAT', data]), 'wrong length'],
  [
    'an end that has bytes',
    Buffer.concat([plain.subarray(0, -12), pngChunk('IEND', bytes(1))]),
    'wrong length',
  ],
  ['no data', pngOf(8, 2), 'without data'],
  ['16 bits of a palette', pngOf(16, 3, ['PLTE', bytes(3)], ['IDAT', data]), 'unknown kind'],
  ['a colour type of 5', pngOf(8, 5, ['IDAT', data]), 'unknown kind'],
  ['no pixels', createPng({ width: 0, height: 4 }), 'without pixels'],
  ['too many pixels', createPng({ width: 30_000, height: 30_000, depth: 1, color: 0 }), 'too many pixels'],
  [
    'alpha and 16 bits in 16 million pixels',
    createPng({ width: 4096, height: 4096, depth: 16, color: 6 }),
    'too many bytes',
  ],
  [
    'ten thousand chunks',
    pngOf(8, 2, ...Array(10_000).fill(['prVt', bytes(1)]), ['IDAT', data]),
    'too many chunks',
  ],
])('a PNG with %s is refused before a decoder sees it', (_name, png, reason) => {
  expect(why(png)).toContain(reason);
});
