import { createHmac } from 'node:crypto';

/** What stands for an identifier in the key of a counter: it cannot be turned back, or tried, without the server's key. */
export type KeyOf = (text: string) => string;

/** HMAC-SHA-256: counters are also kept for people who have no account, and a dump must not name them. */
export const createKeyOf =
  (key: string | Uint8Array): KeyOf =>
  (text) =>
    createHmac('sha256', key).update(text).digest('base64url');
