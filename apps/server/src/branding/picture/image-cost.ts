import { unreadable } from './image-format.ts';

/** More pixels than any photo within the limit of bytes has. */
export const MAX_PIXELS = 4096 * 4096;
/** A line of millions of pixels takes a decoder many times as long as a square with as many pixels. */
const MAX_SIDE = 4 * 4096;
/** The same number of pixels, with three colours each. */
const MAX_DECODED_BYTES = 3 * MAX_PIXELS;

interface ImageCost {
  width: number;
  height: number;
  /** The most bytes that a decoder holds of the picture at once. */
  decodedBytes: number;
}

/** @throws AppError image_unreadable when decoding would cost too much, or the picture is empty */
export const requireAffordable = ({ width, height, decodedBytes }: ImageCost): void => {
  if (width === 0 || height === 0) throw unreadable('a picture without pixels');
  if (Math.max(width, height) > MAX_SIDE) throw unreadable('a side of too many pixels');
  if (width * height > MAX_PIXELS) throw unreadable('too many pixels');
  if (decodedBytes > MAX_DECODED_BYTES) throw unreadable('too many bytes once decoded');
};
