/** The accepted media types of a picture. */
export const pictureTypes = ['image/jpeg', 'image/png'] as const;
export type PictureType = (typeof pictureTypes)[number];

/** The maximum size of a picture in bytes. */
export const PICTURE_LIMIT_BYTES = 1024 * 1024;

/** The bytes that a picture begins with, whatever its name says. */
export const pictureSignatures: Readonly<Record<PictureType, readonly number[]>> = {
  // ITU-T T.81 section B.1.1: SOI, then another marker.
  'image/jpeg': [0xff, 0xd8, 0xff],
  // PNG specification section 5.2.
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
};
