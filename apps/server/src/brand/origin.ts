/** The origin that `value` is, without a path; undefined where it is anything else. */
export const parseOrigin = (value: string): string | undefined => {
  const url = URL.parse(value);
  const isPlain =
    url && ['http:', 'https:'].includes(url.protocol) && url.origin === value.replace(/\/$/, '');
  return isPlain ? url.origin : undefined;
};
