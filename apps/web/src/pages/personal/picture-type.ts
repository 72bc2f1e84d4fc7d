import { type PictureType, pictureSignatures, pictureTypes } from '@candela/contract/rules/picture';

/** What a file is by its first bytes, whatever its name says. */
export const pictureType = (head: Uint8Array): PictureType | undefined =>
  pictureTypes.find((type) => pictureSignatures[type].every((byte, index) => head[index] === byte));

/** A size with the same proportions whose longer side is at most `most`; never larger than it was. */
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
