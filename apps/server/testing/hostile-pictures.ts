import { deflateSync } from 'node:zlib';
import {
  createAnimatedPng,
  createJpegInScans,
  createPhoto,
  createPng,
  jpegSegment,
  packZeros,
  pngChunk,
  withSegment,
} from './pictures.ts';

/** A picture that is expensive to decode. */
interface HostilePicture {
  name: string;
  bytes: Buffer;
  /** `taken`: the picture is accepted, and its costly part is never read. */
  outcome: 'taken' | 'refused';
}

const MEGABYTE = 1_000_000;
const packText = (megabytes: number) => deflateSync(Buffer.alloc(megabytes * MEGABYTE, 'A'), { level: 9 });
const text = (key: string, ...parts: Buffer[]) => Buffer.concat([Buffer.from(`${key}\0`), ...parts]);
const times = <T>(count: number, part: T): T[] => Array.from({ length: count }, () => part);

const pngs = (): HostilePicture[] => {
  const tenMb = packText(10);
  const twentyMb = packText(20);
  const withChunks = (chunks: Buffer[]) => createPng({ width: 64, height: 64, chunks });
  const plain = withChunks([]);
  const [start, rest] = [plain.subarray(0, 33), plain.subarray(33)];
  const withLength = (length: number) => {
    const chunk = pngChunk('tEXt', text('a'));
    chunk.writeUInt32BE(length);
    return Buffer.concat([start, chunk, rest]);
  };
  const withData = (...data: Buffer[]) =>
    Buffer.concat([start, ...data.map((part) => pngChunk('IDAT', part)), pngChunk('IEND', Buffer.alloc(0))]);
  const international = Buffer.from([1, 0, 0, 0]);
  const taken = [
    ['95 zTXt of 10 MB', withChunks(times(95, pngChunk('zTXt', text('a', Buffer.from([0]), tenMb))))],
    ['20 zTXt of 20 MB', withChunks(times(20, pngChunk('zTXt', text('a', Buffer.from([0]), twentyMb))))],
    ['95 iTXt of 10 MB', withChunks(times(95, pngChunk('iTXt', text('a', international, tenMb))))],
    ['90 profiles of 10 MB', withChunks(times(90, pngChunk('iCCP', text('a', Buffer.from([0]), tenMb))))],
    ['a text of 1 MB', withChunks([pngChunk('tEXt', text('a', Buffer.alloc(MEGABYTE)))])],
    ['9,000 texts', withChunks(times(9_000, pngChunk('tEXt', text('a'))))],
    ['100 suggested palettes', withChunks(times(100, pngChunk('sPLT', text('a', Buffer.alloc(9_000, 8)))))],
    ['9,000 empty chunks of data', withData(...times(9_000, Buffer.alloc(0)), packZeros(64 * 193))],
  ] as const;
  const refused = [
    ['80,000 texts', withChunks(times(80_000, pngChunk('tEXt', Buffer.alloc(0))))],
    ['a palette of 340,000 colours', withChunks([pngChunk('PLTE', Buffer.alloc(3 * 340_000))])],
    ['1,000 palettes', withChunks(times(1_000, pngChunk('PLTE', Buffer.alloc(768))))],
    ['30,000 x 30,000', createPng({ width: 30_000, height: 30_000, depth: 1, color: 0 })],
    ['2^31 - 1 across', createPng({ width: 2 ** 31 - 1, height: 1, depth: 1, color: 0, lines: 64 })],
    ['16 million across', createPng({ width: 4096 * 4096, height: 1, depth: 8, color: 0 })],
    ['16 million upright', createPng({ width: 1, height: 4096 * 4096, depth: 8, color: 0 })],
    ['16 bits and alpha in 16 million pixels', createPng({ width: 4096, height: 4096, depth: 16, color: 6 })],
    ['an animation', createAnimatedPng()],
    ['a chunk cut off', plain.subarray(0, -20)],
    ['a chunk of 2^32 - 1', withLength(2 ** 32 - 1)],
    ['a chunk of 2^31 - 1', withLength(2 ** 31 - 1)],
    ['no data', withData()],
    ['data cut off', withData(packZeros(64 * 193).subarray(0, -12))],
    ['data that are none', withData(Buffer.alloc(MEGABYTE, 7))],
  ] as const;
  return [
    ...taken.map(([name, bytes]) => ({ name: `a PNG with ${name}`, bytes, outcome: 'taken' as const })),
    ...refused.map(([name, bytes]) => ({ name: `a PNG with ${name}`, bytes, outcome: 'refused' as const })),
    {
      name: 'a PNG with 900 MB behind its pixels',
      bytes: withData(packZeros(900 * MEGABYTE)),
      outcome: 'taken',
    },
  ];
};

const jpegs = async (): Promise<HostilePicture[]> => {
  const photo = await createPhoto();
  const frame = photo.indexOf('ffc0', 'hex');
  const insert = (parts: Buffer[]) => Buffer.concat([photo.subarray(0, 2), ...parts, photo.subarray(2)]);
  const change = (at: number, ...values: number[]) => {
    const changed = Buffer.from(photo);
    changed.set(values, frame + at);
    return changed;
  };
  const full = Buffer.alloc(65_533, 0x41);
  // A directory that claims 65,535 entries, each of which points to the next directory.
  const exif = Buffer.concat([
    Buffer.from('Exif\0\0MM\0*\0\0\0\x08\xff\xff', 'latin1'),
    Buffer.alloc(60_000, 8),
  ]);
  const scanned = createJpegInScans(1_000);
  const taken = [
    ['15 profiles of 64 KB', insert(times(15, jpegSegment(0xe2, full)))],
    ['9,000 segments of applications', insert(times(9_000, jpegSegment(0xe5, Buffer.alloc(64))))],
    ['15 comments of 64 KB', insert(times(15, jpegSegment(0xfe, full)))],
    ['15 EXIF directories without end', insert(times(15, jpegSegment(0xe1, exif)))],
    ['a million fill bytes', insert([Buffer.alloc(MEGABYTE, 0xff)])],
    ['9,000 tables', insert(times(9_000, jpegSegment(0xdb, Buffer.from([0, ...Array(64).fill(1)]))))],
    ['50 scans', createJpegInScans(50, 2800, 2900)],
  ] as const;
  const refused = [
    ['250,000 segments of applications', insert(times(250_000, jpegSegment(0xe1, Buffer.alloc(0))))],
    ['250,000 comments', insert(times(250_000, jpegSegment(0xfe, Buffer.alloc(0))))],
    ['1,000 scans', scanned],
    ['1,000 scans behind a comment', withSegment(scanned, 0xfe, Buffer.from('ffda', 'hex'))],
    ['65,535 x 65,535', change(5, 255, 255, 255, 255)],
    ['a height that comes later', change(5, 0, 0)],
    ['more than its scan has', change(5, 16, 0, 16, 0)],
    ['a segment longer than the file', change(2, 255, 255)],
    ['a million bytes that stand for one', insert([Buffer.alloc(MEGABYTE, 'ff00', 'hex')])],
  ] as const;
  return [
    ...taken.map(([name, bytes]) => ({ name: `a JPEG with ${name}`, bytes, outcome: 'taken' as const })),
    ...refused.map(([name, bytes]) => ({ name: `a JPEG with ${name}`, bytes, outcome: 'refused' as const })),
  ];
};

/** The most expensive harmless pictures, all within the limits. */
const dear = async (): Promise<HostilePicture[]> =>
  [
    { name: 'a PNG of 16 bits', bytes: createPng({ width: 2500, height: 2500, depth: 16, color: 6 }) },
    { name: 'an interlaced PNG', bytes: createPng({ width: 4096, height: 4096, interlaced: true }) },
    {
      name: 'an interlaced PNG of 16 bits',
      bytes: createPng({ width: 2500, height: 2500, depth: 16, color: 6, interlaced: true }),
    },
    {
      name: 'a progressive JPEG',
      bytes: await createPhoto({ width: 4096, height: 4096, progressive: true }),
    },
  ].map((picture) => ({ ...picture, outcome: 'taken' as const }));

/** Each picture is smaller than 1 MiB. */
export const createHostilePictures = async (): Promise<HostilePicture[]> => [
  ...pngs(),
  ...(await jpegs()),
  ...(await dear()),
];
