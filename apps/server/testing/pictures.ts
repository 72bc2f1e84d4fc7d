import { constants, crc32, deflateRawSync } from 'node:zlib';
import sharp, { type Metadata } from 'sharp';

export interface PhotoOptions {
  width?: number;
  height?: number;
  format?: 'jpeg' | 'png';
  progressive?: boolean;
  /** The colour of the left half; the right half is blue. */
  left?: string;
}

/** A real picture of two halves, as other programs write it. */
export const createPhoto = async ({
  width = 640,
  height = 480,
  format = 'jpeg',
  progressive = false,
  left = '#c83200',
}: PhotoOptions = {}): Promise<Buffer> => {
  const half = { width: Math.ceil(width / 2), height, channels: 3 as const, background: left };
  const input = await sharp({ create: half }).png().toBuffer();
  return sharp({ create: { width, height, channels: 3, background: '#0032c8' } })
    .composite([{ input, left: 0, top: 0 }])
    .toFormat(format, { quality: 95, progressive })
    .toBuffer();
};

/** The picture with EXIF that has a position and an orientation, with XMP, and with a wide colour profile. */
export const addMetadata = (photo: Buffer, orientation = 6): Promise<Buffer> =>
  sharp(photo)
    .withExif({ IFD0: { Copyright: 'secret-owner' }, IFD3: { GPSLatitude: '48/1 51/1 30/1' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret-xmp/></x:xmpmeta>')
    .withIccProfile('p3')
    .withMetadata({ orientation })
    .toBuffer();

const CORNERS = [
  { input: '#e00000', left: 0, top: 0 },
  { input: '#00e000', left: 1, top: 0 },
  { input: '#0000e0', left: 0, top: 1 },
];

/** A picture whose corners are red, green, blue and white, from left to right and from the top down. */
export const createCorners = (format: 'jpeg' | 'png', side = 64): Promise<Buffer> => {
  const half = side / 2;
  const parts = CORNERS.map(({ input: background, left, top }) => ({
    input: { create: { width: half, height: half, channels: 3 as const, background } },
    left: left * half,
    top: top * half,
  }));
  return sharp({ create: { width: side, height: side, channels: 3, background: '#ffffff' } })
    .composite(parts)
    .toFormat(format)
    .toBuffer();
};

/** The letters of the colours of the corners, in the order of `corners`. */
export const readCorners = async (bytes: Buffer): Promise<string> => {
  const { width, height } = await readPicture(bytes);
  const letters: string[] = [];
  for (const top of [height >> 2, height - (height >> 2)]) {
    for (const left of [width >> 2, width - (width >> 2)]) {
      const bright = (await readPixel(bytes, left, top)).slice(0, 3).map((value) => value > 128);
      letters.push(bright.every(Boolean) ? 'w' : ('rgb'[bright.indexOf(true)] ?? '?'));
    }
  }
  return letters.join('');
};

export const createOther = (format: 'gif' | 'webp' | 'tiff' | 'avif'): Promise<Buffer> =>
  sharp({ create: { width: 32, height: 32, channels: 3, background: '#c83200' } })
    .toFormat(format)
    .toBuffer();

/** A picture whose left half is transparent. */
export const createTransparent = (width = 64, height = 64): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background: { r: 0, g: 50, b: 200, alpha: 0 } } })
    .png()
    .toBuffer();

export const readPicture = (bytes: Buffer): Promise<Metadata> => sharp(bytes).metadata();

/** Red, green, blue and, if there is one, alpha of a pixel. */
export const readPixel = async (bytes: Buffer, left: number, top: number): Promise<number[]> => {
  const region = { left, top, width: 1, height: 1 };
  return [...(await sharp(bytes).extract(region).raw().toBuffer())];
};

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

export const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
};

const BLOCK_BYTES = 1_000_000;
const packBlock = (bytes: number) =>
  deflateRawSync(Buffer.alloc(bytes), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
const block = packBlock(BLOCK_BYTES);

/** `count` zeros in a zlib stream (RFC 1950) of a thousandth of their size, made without unpacking them. */
export const packZeros = (count: number): Buffer => {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt16BE(count % 65_521, 0);
  checksum.writeUInt16BE(1, 2);
  return Buffer.concat([
    Buffer.from([0x78, 0xda]),
    ...Array<Buffer>(Math.floor(count / BLOCK_BYTES)).fill(block),
    packBlock(count % BLOCK_BYTES),
    Buffer.from([3, 0]),
    checksum,
  ]);
};

export interface PngOptions {
  width: number;
  height: number;
  depth?: 1 | 8 | 16;
  /** 0 is grey, 2 is RGB, 6 is RGB with alpha. */
  color?: 0 | 2 | 6;
  interlaced?: boolean;
  /** Chunks before the picture’s data. */
  chunks?: Buffer[];
  /** The size of the unpacked data, if it differs from the size that the header implies. */
  lines?: number;
}

/** A black PNG made byte by byte, in a size that few programs would write. */
export const createPng = ({
  width,
  height,
  depth = 8,
  color = 2,
  interlaced = false,
  chunks = [],
  lines: unpacked,
}: PngOptions): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = depth;
  header[9] = color;
  header[12] = interlaced ? 1 : 0;
  const samples = { 0: 1, 2: 3, 6: 4 }[color];
  // The passes of an interlaced picture have up to seven times as many lines, each with a filter byte.
  const lines =
    unpacked ?? Math.ceil((width * samples * depth) / 8) * height + height * (interlaced ? 4 : 1) + 64;
  const data = packZeros(lines);
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    ...chunks,
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
};

/** A PNG that claims to have two frames. */
export const createAnimatedPng = (): Buffer => {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(2, 0);
  return createPng({ width: 32, height: 32, chunks: [pngChunk('acTL', control)] });
};

export const jpegSegment = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};

/** The JPEG with a segment right after its start. */
export const withSegment = (jpeg: Buffer, marker: number, data: Buffer): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), jpegSegment(marker, data), jpeg.subarray(2)]);

const pack = (bits: string): Buffer => {
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  return Buffer.from(
    (padded.match(/.{8}/g) ?? []).flatMap((byte) => {
      const value = Number.parseInt(byte, 2);
      return value === 0xff ? [0xff, 0] : [value];
    }),
  );
};

/** A Huffman table with one symbol, coded as 0. */
const huffmanTable = (kind: number, symbol: number) =>
  jpegSegment(0xc4, Buffer.from([kind << 4, 1, ...Array(15).fill(0), symbol]));

const RUN_BITS = 14;

/**
 * A progressive JPEG with scans of a few hundred bytes. Each scan is valid and empty, yet a decoder passes over the
 * whole picture for it (ITU-T T.81 annex G).
 */
export const createJpegInScans = (count: number, width = 4000, height = 3000): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt16BE(height, 0);
  size.writeUInt16BE(width, 2);
  const components = [1, 2, 3];
  const frame = [8, ...size, 3, ...components.flatMap((id) => [id, 0x11, 0])];
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const run = 2 ** RUN_BITS;
  // Runs of blocks without coefficients: each covers `run` blocks and as many more as the bits after it say.
  const empty = pack(`0${'0'.repeat(RUN_BITS)}`.repeat(Math.ceil(blocks / run)));
  const steps = components.flatMap((id) =>
    Array.from({ length: 63 }, (_, index) => index + 1).flatMap((coefficient) =>
      Array.from({ length: 14 }, (_, step) => ({ id, coefficient, low: 13 - step })),
    ),
  );
  const scans = steps.slice(0, count - 1).map(({ id, coefficient, low }) => {
    const high = low === 13 ? 0 : low + 1;
    const header = [1, id, 0, coefficient, coefficient, (high << 4) | low];
    return Buffer.concat([jpegSegment(0xda, Buffer.from(header)), empty]);
  });
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, Buffer.from([0, ...Array(64).fill(1)])),
    jpegSegment(0xc2, Buffer.from(frame)),
    huffmanTable(0, 0),
    huffmanTable(1, RUN_BITS << 4),
    jpegSegment(0xda, Buffer.from([3, ...components.flatMap((id) => [id, 0]), 0, 0, 0])),
    pack('0'.repeat(blocks * components.length)),
    ...scans,
    Buffer.from([0xff, 0xd9]),
  ]);
};
