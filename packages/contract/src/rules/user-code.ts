/** The number of letters in a user code (RFC 8628 section 6.1). A hyphen separates the groups. */
const LENGTH = 8;
const GROUP = 4;

/** The letters of a user code as a device shows them: `WDJBMJHT` is `WDJB-MJHT`, and `WDJBM` is `WDJB-M`. */
export const formatUserCode = (letters: string): string =>
  letters.length > GROUP ? `${letters.slice(0, GROUP)}-${letters.slice(GROUP)}` : letters;

/** The user code, or its beginning, in a typed or pasted text: `wdjb mjht` is `WDJB-MJHT`. */
export const readUserCode = (text: string): string =>
  formatUserCode(
    text
      .normalize('NFKC')
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]/g, '')
      .slice(0, LENGTH),
  );

/** Whether a result of `readUserCode` has all letters. */
export const isWholeUserCode = (userCode: string): boolean =>
  userCode.length === formatUserCode('A'.repeat(LENGTH)).length;

/** The shape of every user code, with a star for each letter: `****-****`. */
export const USER_CODE_MASK = formatUserCode('*'.repeat(LENGTH));
