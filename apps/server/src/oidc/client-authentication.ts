import type { Context } from 'koa';

/** Endpoints where an Authorization header authenticates the client (RFC 6749 section 2.3). */
const AUTHENTICATED_PATHS = new Set([
  '/oauth/token',
  '/oauth/introspect',
  '/oauth/revoke',
  '/oauth/par',
  '/oauth/device_authorization',
]);

/** Id and secret, each form-encoded, in HTTP Basic (RFC 6749 section 2.3.1). */
const isBasicCredentials = (header: string): boolean => {
  const [, encoded] = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header) ?? [];
  if (encoded === undefined) return false;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1) return false;
  try {
    // RFC 6749 appendix A: an id and a secret are of visible ASCII.
    return [text.slice(0, colon), text.slice(colon + 1)].every((part) =>
      /^[\x20-\x7e]+$/.test(decodeURIComponent(part.replaceAll('+', '%20'))),
    );
  } catch {
    return false;
  }
};

const isJsonObject = (encoded: string | undefined): boolean => {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded ?? '', 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

const isJwt = (text: string): boolean => {
  const parts = text.split('.');
  return parts.length === 3 && parts.slice(0, 2).every(isJsonObject);
};

/**
 * Credentials that the engine cannot read and calls a malformed request are a failed authentication: by the
 * Authorization header 401 with the scheme to use (RFC 6749 section 5.2), by an assertion 401 (RFC 7521 section
 * 4.2.1). More than one mechanism stays `invalid_request`.
 */
export const answerIllFormedCredentials = (ctx: Context, issuer: string): void => {
  const body = ctx.body as { error?: string } | undefined;
  if (body?.error !== 'invalid_request' || !AUTHENTICATED_PATHS.has(ctx.path)) return;
  const header = ctx.get('authorization');
  const { client_assertion: assertion, client_secret: secret } = ctx.oidc?.params ?? {};
  if ([header, assertion, secret].filter(Boolean).length !== 1) return;
  if (header && !isBasicCredentials(header)) {
    ctx.set('WWW-Authenticate', `Basic realm="${issuer}", error="invalid_client"`);
  } else if (typeof assertion !== 'string' || isJwt(assertion)) {
    return;
  }
  ctx.status = 401;
  ctx.body = { error: 'invalid_client', error_description: 'client authentication cannot be read' };
};
