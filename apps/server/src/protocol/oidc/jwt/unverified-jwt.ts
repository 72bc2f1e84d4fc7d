/**
 * Reads the header (0) or the claims (1) of a JWT (RFC 7519 section 7.2) without verifying it; undefined where that part
 * is no JSON object.
 */
export const readJwtPart = (jwt: string, part: 0 | 1): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(jwt.split('.')[part] ?? '', 'base64url').toString('utf8'));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};
