const ORIENTATION_TAG = 0x0112;
const SHORT = 3;
const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;

/** Reads numbers in the byte order of the header; undefined where the header names no byte order. */
const readerOf = (tiff: Buffer) => {
  const mark = tiff.toString('latin1', 0, 4);
  if (mark === 'II*\0') {
    return { short: (at: number) => tiff.readUInt16LE(at), long: (at: number) => tiff.readUInt32LE(at) };
  }
  if (mark === 'MM\0*') {
    return { short: (at: number) => tiff.readUInt16BE(at), long: (at: number) => tiff.readUInt32BE(at) };
  }
  return undefined;
};

/**
 * The orientation of a picture, from the first directory of its EXIF data (CIPA DC-008 section 4.6.4): 1 (upright) to 8.
 * 1 also where the data name no orientation. Nothing else is read.
 */
export const readOrientation = (tiff: Buffer): number => {
  if (tiff.length < HEADER_BYTES) return 1;
  const reader = readerOf(tiff);
  const directory = reader?.long(4);
  if (!reader || directory === undefined || directory + 2 > tiff.length) return 1;
  const first = directory + 2;
  const entries = Math.min(reader.short(directory), Math.floor((tiff.length - first) / ENTRY_BYTES));
  for (let entry = 0; entry < entries; entry += 1) {
    const at = first + entry * ENTRY_BYTES;
    if (reader.short(at) !== ORIENTATION_TAG || reader.short(at + 2) !== SHORT) continue;
    const orientation = reader.short(at + 8);
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  }
  return 1;
};

/** EXIF data with the orientation and nothing else. */
export const writeOrientation = (orientation: number): Buffer => {
  const tiff = Buffer.from('49492a0008000000010012010300010000000000000000000000', 'hex');
  tiff.writeUInt16LE(orientation, 18);
  return tiff;
};
