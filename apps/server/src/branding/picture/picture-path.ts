import { createHash, randomBytes } from 'node:crypto';

/** 128 random bits in 22 characters. */
export const createPictureName = (): string => randomBytes(16).toString('base64url');

/** A name derived from the content, so that browsers keep an unchanged picture. */
export const contentName = (owner: string, bytes: Buffer): string =>
  createHash('sha256').update(`${owner}\n`).update(bytes).digest().subarray(0, 16).toString('base64url');

/** The path of a picture, on the origin of every brand. */
export const avatarPath = (name: string): string => `/api/avatars/${name}`;
export const logoPath = (name: string): string => `/api/logos/${name}`;
