/** Crockford’s base32: no I, L, O and U. */
export const RECOVERY_CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Characters of a recovery code, without the dash in its middle. */
export const RECOVERY_CODE_LENGTH = 10;

/** A recovery code as it was made, whichever way it was typed: case, spaces, dashes, O for 0, and I or L for 1. */
export const foldRecoveryCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');

/** A recovery code as it is shown: two groups of five. */
export const showRecoveryCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`;
