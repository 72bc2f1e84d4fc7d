import { unreadable } from './image-format.ts';

/** More than any photo that fits into the bytes that are taken. */
export const MAX_PIXELS = 4096 * 4096;
/** A line of millions of pixels takes a decoder many times as long as a square of as many. */
const MAX_SIDE = 4 * 4096;
/** As many pixels of three colours. */
const MAX_DECODED_BYTES = 3 * MAX_PIXELS;

interface ImageCost {
  width: number;
  height: number;
  /** The most that a decoder holds of the picture at once. */
  decodedBytes: number;
}

/** @throws AppError image_unreadable where decoding would cost too much, or where there is nothing to decode */
export const requireAffordable = ({ width, height, decodedBytes }: ImageCost): void => {
  if (width === 0 || height === 0) throw unreadable('a picture without pixels');
  if (Math.max(width, height) > MAX_SIDE) throw unreadable('a side of too many pixels');
  if (width * height > MAX_PIXELS) throw unreadable('too many pixels');
  if (decodedBytes > MAX_DECODED_BYTES) throw unreadable('too many bytes once decoded');
};
