import { readOrientation, writeOrientation } from './exif-orientation.ts';
import { requireAffordable } from './image-cost.ts';
import { type StrippedImage, unreadable } from './image-format.ts';

// Codes of markers (ITU-T T.81 annex B).
const SOF_BASELINE = 0xc0;
const SOF_EXTENDED = 0xc1;
const SOF_PROGRESSIVE = 0xc2;
const DHT = 0xc4;
const RST_FIRST = 0xd0;
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const DQT = 0xdb;
const DRI = 0xdd;
const APP_FIRST = 0xe0;
const APP_EXIF = 0xe1;
const APP_ADOBE = 0xee;
const APP_LAST = 0xef;
const COM = 0xfe;
const TEM = 0x01;

/** The most segments; encoders write about ten. */
const MAX_SCANS = 50;
const MAX_SEGMENTS = 10_000;
const EXIF = Buffer.from('Exif\0\0', 'latin1');
const ADOBE = Buffer.from('Adobe', 'latin1');
const ADOBE_BYTES = 12;
const JFIF = Buffer.from('JFIF\0', 'latin1');
/** Version 1.1, square pixels, no thumbnail. */
const PLAIN_JFIF = Buffer.from('4a46494600010100000100010000', 'hex');

interface Segment {
  marker: number;
  /** The content, without marker and length. */
  data: Buffer;
  /** The entropy-coded data that follow a scan. */
  scan?: Buffer;
}

const isRestart = (marker: number) => marker >= RST_FIRST && marker < SOI;

/** The end of the entropy-coded data that begin at `from`. Stuffed zeros and restart markers belong to them. */
const endOfScan = (bytes: Buffer, from: number): number => {
  for (let at = from; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at;
  }
  throw unreadable('a JPEG that was cut off');
};

/** The segment at `at`, and its end. */
const readSegment = (bytes: Buffer, at: number): [Segment, number] => {
  const marker = bytes[at + 1] ?? 0;
  const start = at + 4;
  if (start > bytes.length) throw unreadable('a JPEG that was cut off');
  const end = at + 2 + bytes.readUInt16BE(at + 2);
  if (end < start || end > bytes.length) throw unreadable('a segment of a JPEG that is longer than the file');
  const data = bytes.subarray(start, end);
  if (marker !== SOS) return [{ marker, data }, end];
  const scanEnd = endOfScan(bytes, end);
  return [{ marker, data, scan: bytes.subarray(end, scanEnd) }, scanEnd];
};

/** The segments up to the end of the picture. Bytes after the end are dropped. */
const listSegments = (bytes: Buffer): Segment[] => {
  const segments: Segment[] = [];
  let at = 2;
  while (bytes[at + 1] !== EOI || bytes[at] !== 0xff) {
    if (at + 1 >= bytes.length) throw unreadable('a JPEG that was cut off');
    if (bytes[at] !== 0xff) throw unreadable('bytes of a JPEG that belong to nothing');
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) at += 1;
    else if (marker === TEM || isRestart(marker)) at += 2;
    else {
      if (segments.length === MAX_SEGMENTS) throw unreadable('a JPEG of too many segments');
      const [segment, end] = readSegment(bytes, at);
      segments.push(segment);
      at = end;
    }
  }
  return segments;
};

const isFrame = ({ marker }: Segment) =>
  marker === SOF_BASELINE || marker === SOF_EXTENDED || marker === SOF_PROGRESSIVE;
const isDropped = ({ marker }: Segment) => marker === COM || (marker >= APP_FIRST && marker <= APP_LAST);
const isTable = ({ marker }: Segment) => marker === DHT || marker === DQT || marker === DRI;

/** Checks that every decoder knows the segments, and that one frame comes before the first scan. */
const requireOrder = (segments: readonly Segment[]): Segment => {
  const [frame, ...more] = segments.filter(isFrame);
  const scans = segments.filter(({ marker }) => marker === SOS);
  const [first] = scans;
  if (!frame || !first || more.length > 0 || segments.indexOf(first) < segments.indexOf(frame)) {
    throw unreadable('a JPEG without one frame before its scans');
  }
  if (scans.length > MAX_SCANS) throw unreadable('a JPEG of too many scans');
  const known = (segment: Segment) =>
    isFrame(segment) || isTable(segment) || isDropped(segment) || segment.marker === SOS;
  if (!segments.every(known)) throw unreadable('a JPEG of an unknown kind');
  return frame;
};

/** Size and components of the frame (ITU-T T.81 section B.2.2). */
const readFrame = ({ data }: Segment) => {
  const count = data[5] ?? 0;
  if (data[0] !== 8 || ![1, 3, 4].includes(count) || data.length !== 6 + 3 * count) {
    throw unreadable('a JPEG of an unknown kind');
  }
  const components = Array.from({ length: count }, (_, index) => {
    const sampling = data[7 + 3 * index] ?? 0;
    return { across: sampling >> 4, down: sampling & 15 };
  });
  const sound = ({ across, down }: { across: number; down: number }) =>
    across >= 1 && across <= 4 && down >= 1 && down <= 4;
  if (!components.every(sound)) throw unreadable('a JPEG of an unknown kind');
  return { width: data.readUInt16BE(3), height: data.readUInt16BE(1), components };
};

/** A decoder keeps all coefficients of a picture, 16 bits each, where a scan holds only a part of the picture. */
const decodedBytes = (segments: readonly Segment[], frame: Segment): number => {
  const { width, height, components } = readFrame(frame);
  const samples = width * height * components.length;
  const first = segments.find(({ marker }) => marker === SOS);
  const isWhole = frame.marker !== SOF_PROGRESSIVE && first?.data[0] === components.length;
  if (isWhole) return samples;
  const across = Math.max(...components.map((component) => component.across));
  const down = Math.max(...components.map((component) => component.down));
  const units = Math.ceil(width / (8 * across)) * Math.ceil(height / (8 * down));
  const blocks = components.reduce((sum, component) => sum + component.across * component.down, 0);
  return units * blocks * 64 * 2;
};

const begins = (data: Buffer, mark: Buffer) => data.subarray(0, mark.length).equals(mark);

/** The application segments that change how pixels look, written anew. */
const keptFacts = (segments: readonly Segment[]): Segment[] => {
  const find = (wanted: number, mark: Buffer) =>
    segments.find(({ marker, data }) => marker === wanted && begins(data, mark))?.data;
  // Both name the colour space of three components: RGB or YCbCr.
  const jfif = find(APP_FIRST, JFIF);
  const adobe = find(APP_ADOBE, ADOBE);
  const exif = find(APP_EXIF, EXIF);
  const orientation = exif ? readOrientation(exif.subarray(EXIF.length)) : 1;
  return [
    ...(jfif ? [{ marker: APP_FIRST, data: PLAIN_JFIF }] : []),
    ...(orientation === 1
      ? []
      : [{ marker: APP_EXIF, data: Buffer.concat([EXIF, writeOrientation(orientation)]) }]),
    ...(adobe && adobe.length >= ADOBE_BYTES
      ? [{ marker: APP_ADOBE, data: adobe.subarray(0, ADOBE_BYTES) }]
      : []),
  ];
};

const segmentBytes = ({ marker, data, scan }: Segment): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat(scan ? [head, data, scan] : [head, data]);
};

/**
 * Rewrites a JPEG with the same pixels, without comments, thumbnails and profiles. Of the EXIF data only the orientation
 * stays.
 * @throws AppError image_unreadable
 */
export const stripJpeg = (bytes: Buffer): StrippedImage => {
  const segments = listSegments(bytes);
  const frame = requireOrder(segments);
  const { width, height } = readFrame(frame);
  requireAffordable({ width, height, decodedBytes: decodedBytes(segments, frame) });
  const kept = [...keptFacts(segments), ...segments.filter((segment) => !isDropped(segment))];
  const [begin, end] = [Buffer.from([0xff, SOI]), Buffer.from([0xff, EOI])];
  return { width, height, bytes: Buffer.concat([begin, ...kept.map(segmentBytes), end]) };
};
