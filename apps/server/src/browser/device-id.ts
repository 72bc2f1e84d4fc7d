/** Whether a cookie's value can be one of ours: an opaque token. */
export const isDeviceId = (value: string): boolean => /^[\w-]{43}$/.test(value);
