import type { avatarTypes } from '@candela/contract';

const signatures: readonly (readonly [type: (typeof avatarTypes)[number], bytes: readonly number[]])[] = [
  // ITU-T T.81 section B.1.1: SOI, then another marker.
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  // PNG specification section 5.2.
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
];

/** What a file is by its first bytes, whatever its name says. */
export const pictureType = (head: Uint8Array): (typeof avatarTypes)[number] | undefined =>
  signatures.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte))?.[0];

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
