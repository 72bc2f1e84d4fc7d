import { crc32 } from 'node:zlib';
import { readOrientation, writeOrientation } from './exif-orientation.ts';
import { requireAffordable } from './image-cost.ts';
import { type StrippedImage, signatures, unreadable } from './image-format.ts';

interface Chunk {
  type: string;
  data: Buffer;
}

/** The bytes of a chunk beside its data: length, type and checksum. */
const FRAME_BYTES = 12;
/** The most chunks; encoders write a few hundred within the limit of bytes. */
const MAX_CHUNKS = 10_000;

/** The chunks that pixels need, in their required order (PNG section 5.6). */
const places: Record<string, number> = {
  IHDR: 0,
  gAMA: 1,
  cHRM: 1,
  sRGB: 1,
  PLTE: 2,
  tRNS: 3,
  IDAT: 4,
  IEND: 5,
};
const lengths: Record<string, number> = { IHDR: 13, gAMA: 4, cHRM: 32, sRGB: 1, IEND: 0 };
/** Chunks of an animated picture (PNG section 11.3.6). */
const moving = new Set(['acTL', 'fcTL', 'fdAT']);

/** The samples of a pixel by colour type (PNG section 11.2.1). */
const colours: Record<number, { channels: number; depths: readonly number[] }> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 3, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
};
const GREY = 0;
const RGB = 2;
const PALETTE = 3;

const chunkBytes = ({ type, data }: Chunk): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  const checksum = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
};

/** The chunks up to IEND. Bytes after it are dropped. */
const listChunks = (bytes: Buffer): Chunk[] => {
  const chunks: Chunk[] = [];
  let at = signatures.png.length;
  while (chunks.at(-1)?.type !== 'IEND') {
    if (chunks.length === MAX_CHUNKS) throw unreadable('a PNG of too many chunks');
    if (at + FRAME_BYTES > bytes.length) throw unreadable('a PNG that was cut off');
    const length = bytes.readUInt32BE(at);
    const end = at + FRAME_BYTES + length;
    if (end > bytes.length) throw unreadable('a chunk of a PNG that is longer than the file');
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type in places && crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) {
      throw unreadable('a chunk of a PNG whose checksum is wrong');
    }
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4) });
    at = end;
  }
  return chunks;
};

/** Checks that each chunk stands at its place, once; only data chunks repeat, and stand together. */
const requireOrder = (chunks: readonly Chunk[]): void => {
  let reached = -1;
  let last = '';
  const seen = new Set<string>();
  for (const { type, data } of chunks) {
    if (moving.has(type)) throw unreadable('a PNG that moves');
    const place = places[type];
    if (reached === -1 && type !== 'IHDR') throw unreadable('a PNG without its header');
    if (place === undefined) {
      // An uppercase first letter marks a chunk without which the picture cannot be shown (PNG section 5.4).
      if (!/^[a-z][A-Za-z]{3}$/.test(type)) throw unreadable('an unknown chunk of a PNG');
    } else if (place < reached || (type === 'IDAT' ? seen.has(type) && last !== type : seen.has(type))) {
      throw unreadable('a chunk of a PNG that is out of place');
    } else if (data.length !== (lengths[type] ?? data.length)) {
      throw unreadable('a chunk of a PNG of a wrong length');
    } else reached = place;
    seen.add(type);
    last = type;
  }
};

const readHeader = (data: Buffer) => {
  const [depth = 0, colour = 0, compression, filter, interlace = 2] = data.subarray(8);
  const { channels, depths } = colours[colour] ?? { channels: 0, depths: [] };
  if (!depths.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) {
    throw unreadable('a PNG of an unknown kind');
  }
  return { width: data.readUInt32BE(0), height: data.readUInt32BE(4), depth, colour, channels };
};

type Header = ReturnType<typeof readHeader>;

const requirePalette = ({ colour, depth }: Header, palette: Buffer | undefined): void => {
  if (palette === undefined) {
    if (colour === PALETTE) throw unreadable('a PNG without its palette');
    return;
  }
  const entries = palette.length / 3;
  const most = colour === PALETTE ? 2 ** depth : 256;
  const isColoured = (colour & RGB) !== 0;
  if (!isColoured || !Number.isInteger(entries) || entries < 1 || entries > most) {
    throw unreadable('a palette of a PNG that does not fit');
  }
};

const requireTransparency = ({ colour }: Header, palette: Buffer | undefined, alpha: Buffer | undefined) => {
  if (alpha === undefined) return;
  const entries = (palette?.length ?? 0) / 3;
  const fits =
    colour === PALETTE
      ? alpha.length >= 1 && alpha.length <= entries
      : (colour === GREY && alpha.length === 2) || (colour === RGB && alpha.length === 6);
  if (!fits) throw unreadable('a transparency of a PNG that does not fit');
};

/**
 * Rewrites a PNG with the same pixels and nothing else: decoders unpack texts and profiles while they look for the header,
 * however large those become. Of the EXIF data only the orientation stays.
 * @throws AppError image_unreadable
 */
export const stripPng = (bytes: Buffer): StrippedImage => {
  const chunks = listChunks(bytes);
  requireOrder(chunks);
  const find = (wanted: string) => chunks.find(({ type }) => type === wanted)?.data;
  const header = readHeader(find('IHDR') ?? Buffer.alloc(0));
  const palette = find('PLTE');
  const alpha = find('tRNS');
  requirePalette(header, palette);
  requireTransparency(header, palette, alpha);
  const { width, height, depth } = header;
  const channels = header.channels + (alpha ? 1 : 0);
  requireAffordable({ width, height, decodedBytes: width * height * channels * (depth === 16 ? 2 : 1) });

  const data = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  if (data.length === 0) throw unreadable('a PNG without data');
  const orientation = readOrientation(find('eXIf') ?? Buffer.alloc(0));
  const kept = [
    ...chunks.filter(({ type }) => (places[type] ?? Number.POSITIVE_INFINITY) < (places.IDAT ?? 0)),
    ...(orientation === 1 ? [] : [{ type: 'eXIf', data: writeOrientation(orientation) }]),
    { type: 'IDAT', data: Buffer.concat(data) },
    { type: 'IEND', data: Buffer.alloc(0) },
  ];
  return { width, height, bytes: Buffer.concat([signatures.png, ...kept.map(chunkBytes)]) };
};
