/** A word, an id or the name of a file. An address, a number in international form and an encoded name are none. */
const PLAIN = /^[\w.~:-]{0,200}$/;
const PHONE = /^[\d.-]{6,}$/;

/** A path for the log. Whoever asks for a path may write a person into it: such parts are `[removed]`. */
export const loggedPath = (path: string): string =>
  path
    .split('/')
    .map((part) => (PLAIN.test(part) && !PHONE.test(part) ? part : '[removed]'))
    .join('/');
