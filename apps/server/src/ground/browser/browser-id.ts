/** Whether a cookie's value can be one of ours: an opaque token. */
export const isBrowserId = (value: string): boolean => /^[\w-]{43}$/.test(value);
