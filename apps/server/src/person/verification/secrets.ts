import { createHmac, randomInt } from 'node:crypto';
import { CODE_LENGTH } from '@candela/contract/rules/verification-code';

/** Random digits, each code as likely as any other. */
export const createCode = (): string =>
  randomInt(10 ** CODE_LENGTH)
    .toString()
    .padStart(CODE_LENGTH, '0');

/** A key that only the server has. */
export type CodeKey = string | Uint8Array;

/** What a code is bound to. */
export interface CodeBinding {
  purpose: string;
  identifier: string;
  browserHash: string;
}

/** The digest of a code that is stored: six digits need a key that is not in the database. */
export const hashCode = (key: CodeKey, binding: CodeBinding, code: string): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([binding.purpose, binding.identifier, binding.browserHash, code]))
    .digest('base64url');
