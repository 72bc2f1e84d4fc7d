import sharp, { type Metadata, type Sharp } from 'sharp';
import { AppError } from '../errors.ts';
import { createWorkQueue, type WorkQueueOptions } from '../work-queue.ts';
import { countScans, formatOf, isAnimated } from './image-structure.ts';

const AVATAR_SIDE = 512;
const LOGO_SIDE = 256;
/** More than any photo that fits into the bytes that are taken. */
const MAX_PIXELS = 4096 * 4096;
const MAX_DECODED_BYTES = 80 * 1024 * 1024;
/** Encoders write about ten. */
const MAX_SCANS = 50;
const DECODE_SECONDS = 3;

/** Makes pictures of our own out of anybody's bytes: nothing but the pixels comes through. */
export interface PictureEncoder {
  /**
   * A square JPEG, at most 512 pixels wide.
   * @throws AppError unsupported_media_type, image_unreadable, busy
   */
  toAvatar(bytes: Buffer): Promise<Buffer>;
  /**
   * A PNG with its transparency, at most 256 pixels wide and high.
   * @throws AppError unsupported_media_type, image_unreadable, busy
   */
  toLogo(bytes: Buffer): Promise<Buffer>;
}

/** The most that the decoder holds: the samples, of a progressive JPEG the 16-bit coefficients. */
const decodedBytes = ({ width, height, channels, depth, format, isProgressive }: Metadata): number => {
  const isWide = depth === 'ushort' || (format === 'jpeg' && isProgressive);
  return width * height * channels * (isWide ? 2 : 1);
};

/** Reads the header alone, and refuses what would cost too much to decode. */
const inspect = async (bytes: Buffer): Promise<Metadata> => {
  const format = formatOf(bytes);
  if (format === 'jpeg' ? countScans(bytes) > MAX_SCANS : isAnimated(bytes))
    throw new Error('animated, or in too many scans');
  const header = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata();
  if (header.format !== format || decodedBytes(header) > MAX_DECODED_BYTES)
    throw new Error('too large a picture');
  return header;
};

const open = (bytes: Buffer): Sharp =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, autoOrient: true })
    // Without a profile that says otherwise colours are those of sRGB; metadata is left out by not asking for it.
    .toColourspace('srgb')
    .timeout({ seconds: DECODE_SECONDS });

const unreadable = (cause: unknown): AppError =>
  cause instanceof AppError ? cause : new AppError('image_unreadable', { cause });

/** Decodes one picture at a time for each of `concurrency`; libvips keeps no memory between them. */
export const createPictureEncoder = (options: WorkQueueOptions): PictureEncoder => {
  sharp.cache(false);
  sharp.concurrency(1);
  // The other formats' decoders are never reached, whatever the bytes are taken for.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] });
  const enqueue = createWorkQueue(options);

  const encode = (bytes: Buffer, write: (picture: Sharp, header: Metadata) => Sharp): Promise<Buffer> =>
    enqueue(async () => write(open(bytes), await inspect(bytes)).toBuffer()).catch((cause: unknown) => {
      throw unreadable(cause);
    });

  return {
    toAvatar: (bytes) =>
      encode(bytes, (picture, { width, height }) => {
        const side = Math.min(AVATAR_SIDE, width, height);
        return picture
          .resize({ width: side, height: side, fit: 'cover' })
          .flatten({ background: '#fff' })
          .jpeg({ quality: 86 });
      }),
    toLogo: (bytes) =>
      encode(bytes, (picture) =>
        picture
          .resize({ width: LOGO_SIDE, height: LOGO_SIDE, fit: 'inside', withoutEnlargement: true })
          .png({ compressionLevel: 9 }),
      ),
  };
};
