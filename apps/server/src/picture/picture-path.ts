import { createHash, randomBytes } from 'node:crypto';

/** 128 random bits in 22 characters. */
export const createPictureName = (): string => randomBytes(16).toString('base64url');

/** A name that follows from the content, so that browsers keep what they have where it did not change. */
export const contentName = (owner: string, bytes: Buffer): string =>
  createHash('sha256').update(`${owner}\n`).update(bytes).digest().subarray(0, 16).toString('base64url');

/** Where a picture of that name is served, on every brand's origin. */
export const avatarPath = (name: string): string => `/api/avatars/${name}`;
export const logoPath = (name: string): string => `/api/logos/${name}`;
