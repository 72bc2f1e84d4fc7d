import { type PictureType, pictureSignatures, pictureTypes } from '@candela/contract/rules/picture';

/** The media type of a file by its first bytes; undefined when it is no accepted picture. */
export const pictureType = (head: Uint8Array): PictureType | undefined =>
  pictureTypes.find((type) => pictureSignatures[type].every((byte, index) => head[index] === byte));

/** Shrinks a size, in proportion, so that its longer side is at most `most`. Never enlarges. */
export const fitWithin = (
  { width, height }: { width: number; height: number },
  most: number,
): { width: number; height: number } => {
  const factor = Math.min(1, most / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * factor)),
    height: Math.max(1, Math.round(height * factor)),
  };
};
