/**
 * Whether a browser resolves this value to a path of the current origin. `//host` and `/\host` name another host, and
 * browsers drop some control characters before they parse.
 */
export const isOwnPath = (value: string): boolean => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(value);
