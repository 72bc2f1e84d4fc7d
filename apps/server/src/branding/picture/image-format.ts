import { pictureSignatures } from '@candela/contract/rules/picture';
import { AppError } from '../../ground/errors.ts';

export type ImageFormat = 'jpeg' | 'png';

export const signatures: Record<ImageFormat, Buffer> = {
  jpeg: Buffer.from(pictureSignatures['image/jpeg']),
  png: Buffer.from(pictureSignatures['image/png']),
};

/**
 * The format by the first bytes of a file; its name and its declared type count for nothing. A file that is cut off
 * within the signature has the format that the signature could become.
 * @throws AppError unsupported_media_type
 */
export const formatOf = (bytes: Buffer): ImageFormat => {
  for (const format of ['jpeg', 'png'] as const) {
    const signature = signatures[format];
    if (signature.subarray(0, bytes.length).equals(bytes.subarray(0, signature.length))) return format;
  }
  throw new AppError('unsupported_media_type');
};

/** The refusal of a picture; the log shows the reason. */
export const unreadable = (why: string): AppError =>
  new AppError('image_unreadable', { cause: new Error(why) });

/** A picture rewritten by us, with only what its pixels need. */
export interface StrippedImage {
  width: number;
  height: number;
  bytes: Buffer;
}
