import { AppError } from '../errors.ts';

export type ImageFormat = 'jpeg' | 'png';

const signatures: Record<ImageFormat, Buffer> = {
  jpeg: Buffer.from([0xff, 0xd8, 0xff]),
  png: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
};

/**
 * The format that the first bytes say; names and declared types count for nothing. A beginning that was
 * cut off is left to the decoder.
 * @throws AppError unsupported_media_type
 */
export const formatOf = (bytes: Buffer): ImageFormat => {
  for (const format of ['jpeg', 'png'] as const) {
    const signature = signatures[format];
    if (signature.subarray(0, bytes.length).equals(bytes.subarray(0, signature.length))) return format;
  }
  throw new AppError('unsupported_media_type');
};

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const START_OF_IMAGE = 0xd8;

/** Where the entropy-coded data that begin at `from` end: stuffed zeros and restart markers belong to them. */
const endOfEntropyCoded = (bytes: Buffer, from: number): number => {
  let at = bytes.indexOf(0xff, from);
  while (at !== -1) {
    const next = bytes[at + 1];
    if (next === undefined) break;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
    at = bytes.indexOf(0xff, at + 1);
  }
  return bytes.length;
};

/** Markers that stand alone: TEM, SOI and the restart markers, wherever they are. */
const hasNoSegment = (marker: number | undefined): boolean =>
  marker === 1 || marker === START_OF_IMAGE || (marker !== undefined && marker >= 0xd0 && marker <= 0xd7);

/**
 * How many scans a JPEG has: each can cost the decoder a pass over the whole picture (ITU-T T.81 annex B).
 * Infinity where the structure is lost before the end: a decoder may find more than was counted.
 */
export const countScans = (bytes: Buffer): number => {
  let scans = 0;
  let at = signatures.jpeg.length - 1;
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff) return Number.POSITIVE_INFINITY;
    if (marker === END_OF_IMAGE) break;
    if (marker === 0xff) at += 1;
    else if (hasNoSegment(marker)) at += 2;
    else {
      const next = at + 2 + bytes.readUInt16BE(at + 2);
      if (marker === START_OF_SCAN) scans += 1;
      at = marker === START_OF_SCAN ? endOfEntropyCoded(bytes, next) : next;
    }
  }
  return scans;
};

/** Whether a PNG says that it moves: an `acTL` chunk before the picture's data (PNG section 11.3.6). */
export const isAnimated = (bytes: Buffer): boolean => {
  let at = signatures.png.length;
  while (at + 8 <= bytes.length) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
    at += 12 + bytes.readUInt32BE(at);
  }
  return false;
};
