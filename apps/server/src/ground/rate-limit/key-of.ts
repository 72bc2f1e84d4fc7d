import { createHmac } from 'node:crypto';

/** Replaces an identifier in the key of a counter. Without the server's key nobody can reverse it or try guesses. */
export type KeyOf = (text: string) => string;

/** HMAC-SHA-256. Counters exist for people without an account too, and a dump of the database must not name them. */
export const createKeyOf =
  (key: string | Uint8Array): KeyOf =>
  (text) =>
    createHmac('sha256', key).update(text).digest('base64url');
