import { beforeAll, expect, test } from 'vitest';
import {
  addMetadata,
  createJpegInScans,
  createPhoto,
  jpegSegment,
  withSegment,
} from '../../../testing/pictures.ts';
import { writeOrientation } from './exif-orientation.ts';
import { stripJpeg } from './jpeg-structure.ts';

let photo: Buffer;
let progressive: Buffer;
beforeAll(async () => {
  photo = await createPhoto({ width: 40, height: 30 });
  progressive = await createPhoto({ width: 40, height: 30, progressive: true });
});

const why = (bytes: Buffer): string => {
  try {
    stripJpeg(bytes);
    return 'it is taken';
  } catch (error) {
    expect(error).toMatchObject({ code: 'image_unreadable' });
    return ((error as Error).cause as Error).message;
  }
};

/** The offset of the frame header of a JPEG. */
const frameAt = (jpeg: Buffer) => Math.max(jpeg.indexOf('ffc0', 'hex'), jpeg.indexOf('ffc2', 'hex'));
const change = (jpeg: Buffer, at: number, ...values: number[]) => {
  const changed = Buffer.from(jpeg);
  changed.set(values, at);
  return changed;
};
const insert = (jpeg: Buffer, at: number, ...parts: Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, at), ...parts, jpeg.subarray(at)]);

test('segments that the pixels do not need are removed, and the rest is unchanged', () => {
  for (const jpeg of [photo, progressive]) {
    const { bytes } = stripJpeg(jpeg);
    const full = [0xe1, 0xe2, 0xe3, 0xed, 0xef, 0xfe].reduce(
      (made, marker) => withSegment(made, marker, Buffer.from('secret')),
      jpeg,
    );
    expect(stripJpeg(full)).toEqual({ width: 40, height: 30, bytes });
    expect(stripJpeg(Buffer.concat([full, Buffer.from('PK\x03\x04')])).bytes).toEqual(bytes);
    expect(stripJpeg(insert(jpeg, frameAt(jpeg), Buffer.from([0xff, 0xff, 0xff, 0xd0]))).bytes).toEqual(
      bytes,
    );
    expect(stripJpeg(bytes).bytes).toEqual(bytes);
  }
});

test('segments that change how the pixels look are kept, written anew', async () => {
  const plain = stripJpeg(photo).bytes;
  expect(plain.includes('JFIF')).toBe(false);
  const jfif = Buffer.from('4a46494600010100000100010000', 'hex');
  const exif = Buffer.concat([Buffer.from('Exif\0\0'), writeOrientation(6)]);
  const adobe = Buffer.from('41646f626500640000000001', 'hex');
  const full = [
    [0xee, adobe],
    [0xe1, exif],
    [0xe0, jfif],
  ] as const;
  const secret = Buffer.from('secret');
  const taken = full.reduce(
    (jpeg, [marker, data]) => withSegment(jpeg, marker, Buffer.concat([data, secret])),
    photo,
  );
  const facts = full.toReversed().map(([marker, data]) => jpegSegment(marker, data));
  expect(stripJpeg(taken).bytes).toEqual(insert(plain, 2, ...facts));
  const owned = await addMetadata(photo, 1);
  expect(owned.includes('secret-owner')).toBe(true);
  expect(stripJpeg(owned).bytes.includes('secret')).toBe(false);
});

test('the largest allowed number of pixels and of scans is accepted', () => {
  const large = change(photo, frameAt(photo) + 5, 16, 0, 16, 0);
  expect(stripJpeg(large)).toMatchObject({ width: 4096, height: 4096 });
  expect(stripJpeg(createJpegInScans(50, 64, 64))).toMatchObject({ width: 64, height: 64 });
});

test.each<[string, () => Buffer, string]>([
  ['cut off', () => photo.subarray(0, -2), 'cut off'],
  ['its signature alone', () => photo.subarray(0, 3), 'cut off'],
  ['a segment longer than the file', () => change(photo, frameAt(photo) + 2, 0xff, 0xff), 'longer than'],
  ['a segment shorter than its length', () => change(photo, frameAt(photo) + 2, 0, 1), 'longer than'],
  [
    'bytes between segments',
    () => insert(photo, frameAt(photo), Buffer.from([1, 2, 3, 4])),
    'belong to nothing',
  ],
  ['no frame', () => Buffer.concat([photo.subarray(0, 2), Buffer.from([0xff, 0xd9])]), 'without one frame'],
  [
    'two frames',
    () => insert(photo, frameAt(photo), jpegSegment(0xc0, Buffer.alloc(15))),
    'without one frame',
  ],
  ['arithmetic coding', () => change(photo, frameAt(photo) + 1, 0xc9), 'without one frame'],
  [
    'a lossless frame beside',
    () => insert(photo, frameAt(photo), jpegSegment(0xc3, Buffer.alloc(15))),
    'unknown kind',
  ],
  [
    'a height that comes later',
    () => insert(photo, frameAt(photo), jpegSegment(0xdc, Buffer.alloc(2))),
    'unknown kind',
  ],
  [
    'a reserved marker',
    () => insert(photo, frameAt(photo), jpegSegment(0xf0, Buffer.alloc(2))),
    'unknown kind',
  ],
  ['12 bits', () => change(photo, frameAt(photo) + 4, 12), 'unknown kind'],
  ['5 components', () => change(photo, frameAt(photo) + 9, 5), 'unknown kind'],
  ['no sampling', () => change(photo, frameAt(photo) + 11, 0), 'unknown kind'],
  ['no height', () => change(photo, frameAt(photo) + 5, 0, 0), 'without pixels'],
  ['65,535 x 65,535', () => change(photo, frameAt(photo) + 5, 255, 255, 255, 255), 'too many pixels'],
  ['the coefficients of 16 million pixels', () => createJpegInScans(2, 4096, 4096), 'too many bytes'],
  ['51 scans', () => createJpegInScans(51, 64, 64), 'too many scans'],
  ['1,000 scans', () => createJpegInScans(1000), 'too many scans'],
  [
    '1,000 scans behind a fill byte and a restart marker',
    () => {
      const jpeg = createJpegInScans(1000);
      return insert(jpeg, jpeg.indexOf('ffda', 'hex'), Buffer.from([0xff, 0xff, 0xd0]));
    },
    'too many scans',
  ],
  [
    'comments without number',
    () => insert(photo, 2, ...Array(10_000).fill(jpegSegment(0xfe, Buffer.alloc(0)))),
    'too many segments',
  ],
])('a JPEG with %s is refused before a decoder sees it', (_name, create, reason) => {
  expect(why(create())).toContain(reason);
});

test('a scan begins at its marker, not at bytes that look like a marker', () => {
  const thumbnail = Buffer.from('ffda0008ffda0008ffda', 'hex');
  expect(stripJpeg(withSegment(photo, 0xe1, thumbnail)).bytes).toEqual(stripJpeg(photo).bytes);
});
