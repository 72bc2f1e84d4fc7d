const SHOWN = 4;
/** Of a shorter value the first characters would be too much of it. */
const SHORT = 12;
const LENGTH = 500;
/** As long as a parameter of an authorization request may be: a URI that is cut off could not be registered. */
export const URI_LENGTH = 2_048;

/** A text that the database can hold, without control characters; where it is longer than may be, its beginning. */
export const toPlain = (text: string, length = LENGTH): string => {
  const start = text
    .slice(0, length)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\ufffd');
  return text.length > length ? `${start}…` : start;
};

/** A secret as its developer can recognise it: its first characters and its length. */
export const toMasked = (secret: string): string =>
  `${secret.length > SHORT ? toPlain(secret.slice(0, SHOWN)) : ''}… (${secret.length} characters)`;
