import { createHmac, randomInt } from 'node:crypto';

/** Six digits, each as likely as the other. */
export const createCode = (): string => randomInt(1_000_000).toString().padStart(6, '0');

/** A key of the server's. */
export type CodeKey = string | Uint8Array;

/** What a code is bound to. */
export interface CodeBinding {
  purpose: string;
  identifier: string;
  deviceHash: string;
}

/** What is stored of a code: six digits need a key that is not in the database. */
export const hashCode = (key: CodeKey, binding: CodeBinding, code: string): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([binding.purpose, binding.identifier, binding.deviceHash, code]))
    .digest('base64url');

/** The digits of a code as people type and paste them: full-width ones, spaces and dashes are folded. */
export const foldCode = (typed: string): string =>
  typed.normalize('NFKC').replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '');
