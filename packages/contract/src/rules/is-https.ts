/** Whether an absolute URL or an origin is https, in the spelling that `URL` writes. */
export const isHttps = (url: string | undefined): boolean => url?.startsWith('https:') === true;
