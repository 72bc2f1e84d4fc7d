const SHOWN = 4;
/** Of a shorter value the first characters would be too much of it. */
const SHORT = 12;
const LENGTH = 500;

/** A text that the database can hold, bounded and without control characters. */
export const toPlain = (text: string): string =>
  text
    .slice(0, LENGTH)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\ufffd');

/** A secret as its developer can recognise it: its first characters and its length. */
export const toMasked = (secret: string): string =>
  `${secret.length > SHORT ? toPlain(secret.slice(0, SHOWN)) : ''}… (${secret.length} characters)`;
