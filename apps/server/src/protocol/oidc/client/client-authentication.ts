import type { Context } from 'koa';
import { readJwtPart } from '../jwt/unverified-jwt.ts';

/**
 * Why the header is no id and secret, each form-encoded, in HTTP Basic (RFC 6749 section 2.3.1); undefined where it
 * is.
 */
const faultOfBasic = (header: string): 'unreadable' | 'empty' | undefined => {
  const [, encoded] = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header) ?? [];
  if (encoded === undefined) return 'unreadable';
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return 'unreadable';
  try {
    const parts = [text.slice(0, colon), text.slice(colon + 1)].map((part) =>
      decodeURIComponent(part.replaceAll('+', '%20')),
    );
    // RFC 6749 appendix A: an id and a secret are of visible ASCII.
    if (!parts.every((part) => /^[\x20-\x7e]*$/.test(part))) return 'unreadable';
    return parts[1] === '' ? 'empty' : undefined;
  } catch {
    return 'unreadable';
  }
};

const isJwt = (text: string): boolean =>
  text.split('.').length === 3 && readJwtPart(text, 0) !== undefined && readJwtPart(text, 1) !== undefined;

/**
 * Answers 401 to credentials that the engine cannot read, which it calls a malformed request: they are a failed
 * authentication. In the Authorization header the answer names the scheme to use (RFC 6749 section 5.2); for an
 * assertion see RFC 7521 section 4.2.1. More than one mechanism stays `invalid_request`.
 */
export const answerIllFormedCredentials = (ctx: Context, issuer: string): void => {
  const header = ctx.get('authorization');
  const { client_assertion: assertion, client_secret: secret } = ctx.oidc?.params ?? {};
  if ([header, assertion, secret].filter(Boolean).length !== 1) return;
  const fault = header ? faultOfBasic(header) : undefined;
  if (fault !== undefined) {
    ctx.set('WWW-Authenticate', `Basic realm="${issuer}", error="invalid_client"`);
  } else if (typeof assertion !== 'string' || isJwt(assertion)) {
    return;
  }
  ctx.status = 401;
  ctx.body = {
    error: 'invalid_client',
    error_description:
      fault === 'empty'
        ? 'client authentication failed: the secret is empty'
        : 'client authentication cannot be read',
  };
};
