/** The http or https origin in `value`; undefined where `value` has a path, or is no origin. */
export const parseOrigin = (value: string): string | undefined => {
  const url = URL.parse(value);
  const isPlain =
    url && ['http:', 'https:'].includes(url.protocol) && url.origin === value.replace(/\/$/, '');
  return isPlain ? url.origin : undefined;
};
