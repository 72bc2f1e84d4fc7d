import { hash, randomBytes } from 'node:crypto';

/** A value that nobody guesses: 256 random bits in base64url, 43 characters. */
export const createOpaqueToken = (): string => randomBytes(32).toString('base64url');

/**
 * What the database keeps of an opaque token or of an id of the engine: its SHA-256 in base64url. A value of 128
 * random bits and more needs no key: nobody finds it from its digest.
 */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url');
