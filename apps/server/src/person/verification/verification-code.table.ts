import type { CodePurpose } from '@candela/contract';
import type { Selectable } from 'kysely';

export interface VerificationCodeTable {
  purpose: CodePurpose;
  identifier: string;
  device_hash: string;
  /** HMAC under the server's key: a dump of the database yields no code. */
  code_hash: string;
  tries: number;
  created_at: Date;
  expires_at: Date;
  consumed_at: Date | null;
}

export type VerificationCodeRow = Selectable<VerificationCodeTable>;

/** All of them, for statements to name: docs/decisions/027-columns-by-name.md. */
export const verificationCodeColumns = [
  'purpose',
  'identifier',
  'device_hash',
  'code_hash',
  'tries',
  'created_at',
  'expires_at',
  'consumed_at',
] as const satisfies readonly (keyof VerificationCodeRow)[];

declare module '../../ground/db/database.ts' {
  interface Database {
    verification_code: VerificationCodeTable;
  }
}
