/**
 * Whether a browser takes this as a path of the origin that it is at. `//host` and `/\host` name another host,
 * and browsers drop some control characters before they look.
 */
export const isOwnPath = (value: string): boolean => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(value);
