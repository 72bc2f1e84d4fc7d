const WEB: ReadonlySet<string> = new Set(['https:', 'http:']);

/** The host of a URI of the web, with its port if that is not the usual one; undefined for any other URI. */
export const webHostOf = (uri: unknown): string | undefined => {
  const url = typeof uri === 'string' ? URL.parse(uri) : null;
  return url && WEB.has(url.protocol) ? url.host : undefined;
};

/**
 * Where a redirect URI leads: the host of a URI of the web; of any other the scheme with its colon. A private-use scheme
 * has no naming authority (RFC 8252 section 7.1), so what stands for one behind it is no host.
 */
export const redirectTargetOf = (uri: unknown): string | undefined =>
  webHostOf(uri) ?? (typeof uri === 'string' ? URL.parse(uri)?.protocol : undefined);
