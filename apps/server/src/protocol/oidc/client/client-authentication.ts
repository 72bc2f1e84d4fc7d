import type { Context } from 'koa';
import { readJwtPart } from '../jwt/unverified-jwt.ts';

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
  if (header && !isBasicCredentials(header)) {
    ctx.set('WWW-Authenticate', `Basic realm="${issuer}", error="invalid_client"`);
  } else if (typeof assertion !== 'string' || isJwt(assertion)) {
    return;
  }
  ctx.status = 401;
  ctx.body = { error: 'invalid_client', error_description: 'client authentication cannot be read' };
};
