import type { CodePurpose } from '@candela/contract';
import type { Insertable, Selectable } from 'kysely';

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
export type NewVerificationCodeRow = Insertable<VerificationCodeTable>;
