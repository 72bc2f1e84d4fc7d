import { randomInt } from 'node:crypto';
import {
  foldRecoveryCode,
  RECOVERY_CODE_ALPHABET,
  RECOVERY_CODE_LENGTH,
  showRecoveryCode,
} from '@candela/contract/rules/recovery-code';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { deleteRecoveryCodes, insertRecoveryCodes, updateUsed } from './recovery-code.repository.ts';

const COUNT = 10;

/** Makes a keyed hash; it is the same in every process and for every SECRET_KEY. */
export type Fingerprint = (text: string) => string;

const createCode = (): string =>
  Array.from(
    { length: RECOVERY_CODE_LENGTH },
    () => RECOVERY_CODE_ALPHABET[randomInt(RECOVERY_CODE_ALPHABET.length)],
  ).join('');

const hashOf = (fingerprint: Fingerprint, accountId: string, code: string) =>
  fingerprint(`recovery code ${accountId} ${code}`);

/** Makes ten codes in place of those before, and answers them as they are shown. Callers lock the account first. */
export const replaceRecoveryCodes = async (
  trx: Kysely<Database>,
  fingerprint: Fingerprint,
  accountId: string,
): Promise<string[]> => {
  const codes = Array.from({ length: COUNT }, createCode);
  await deleteRecoveryCodes(trx, accountId);
  await insertRecoveryCodes(
    trx,
    accountId,
    codes.map((code) => hashOf(fingerprint, accountId, code)),
  );
  return codes.map(showRecoveryCode);
};

/** Uses a code up, however it is spelled; false where it is wrong or was used. */
export const spendRecoveryCode = (
  db: Kysely<Database>,
  fingerprint: Fingerprint,
  { accountId, typed, at }: { accountId: string; typed: string; at: Date },
): Promise<boolean> =>
  updateUsed(db, { accountId, hash: hashOf(fingerprint, accountId, foldRecoveryCode(typed)), at });
