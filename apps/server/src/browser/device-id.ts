import { createHash, randomBytes } from 'node:crypto';

/** The value of the cookie that tells one browser from another before anyone is signed in. */
export const createDeviceId = (): string => randomBytes(32).toString('base64url');

/** Whether a cookie's value can be one of ours. */
export const isDeviceId = (value: string): boolean => /^[\w-]{43}$/.test(value);

/** What is stored of it: with 256 random bits a plain digest cannot be turned back. */
export const hashDeviceId = (device: string): string =>
  createHash('sha256').update(device).digest('base64url');
