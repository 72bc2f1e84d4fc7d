import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits. */
export const createUndoToken = (): string => randomBytes(32).toString('base64url');

/** What is stored of it: with 256 random bits a plain digest cannot be turned back. */
export const hashUndoToken = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');
