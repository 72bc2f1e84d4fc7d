import { pictureSignatures } from '@candela/contract/rules/picture';
import { AppError } from '../errors.ts';

export type ImageFormat = 'jpeg' | 'png';

export const signatures: Record<ImageFormat, Buffer> = {
  jpeg: Buffer.from(pictureSignatures['image/jpeg']),
  png: Buffer.from(pictureSignatures['image/png']),
};

/**
 * The format that the first bytes say; names and declared types count for nothing. A beginning that was
 * cut off is of the format that it could become.
 * @throws AppError unsupported_media_type
 */
export const formatOf = (bytes: Buffer): ImageFormat => {
  for (const format of ['jpeg', 'png'] as const) {
    const signature = signatures[format];
    if (signature.subarray(0, bytes.length).equals(bytes.subarray(0, signature.length))) return format;
  }
  throw new AppError('unsupported_media_type');
};

/** The refusal of a picture, with the reason for whoever reads the log. */
export const unreadable = (why: string): AppError =>
  new AppError('image_unreadable', { cause: new Error(why) });

/** A picture as we wrote it, with nothing but what its pixels need. */
export interface StrippedImage {
  width: number;
  height: number;
  bytes: Buffer;
}
