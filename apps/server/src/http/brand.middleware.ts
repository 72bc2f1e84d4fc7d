import type { Context, Middleware } from 'koa';
import type { Brand } from '../brand/brand.ts';
import { AppError } from '../errors.ts';

/** Answers of health on any host: a probe does not know the brand's name. */
const HOSTLESS = new Set(['/healthz', '/readyz', '/version']);

const LOCAL = /^http:\/\/localhost(:\d+)?$/;

/**
 * The engine makes URLs from the request's host. It is one of ours or the request ends here, and the
 * scheme is the brand's, whatever a forged header says.
 */
const pinOrigin = (ctx: Context, { origin }: Brand) => {
  const { protocol, host } = new URL(origin);
  const secure = protocol === 'https:';
  Object.defineProperties(ctx.request, {
    protocol: { value: protocol.slice(0, -1) },
    secure: { value: secure },
    host: { value: host },
  });
  ctx.cookies.secure = secure;
};

const answerMisdirected = (ctx: Context, publicUrl: string) => {
  ctx.status = 421;
  if (!ctx.accepts('html') || !LOCAL.test(publicUrl)) throw new AppError('misdirected_request');
  ctx.set(
    'Content-Security-Policy',
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  ctx.type = 'html';
  ctx.body = `<!DOCTYPE html><html lang="en"><title>Candela</title><p>Candela is served at <a href="${publicUrl}">${publicUrl}</a>.</p></html>`;
};

/** Chooses the brand by the exact Host, never by a forwarded one, whoever is trusted; any other host is 421 (RFC 9110 section 15.5.20). */
export const createBrandMiddleware = (brands: readonly Brand[], publicUrl: string): Middleware => {
  const byHost = new Map(brands.map((brand) => [new URL(brand.origin).host, brand]));
  return async (ctx, next) => {
    if (HOSTLESS.has(ctx.path)) return next();
    const brand = byHost.get(ctx.get('host').toLowerCase());
    if (!brand) return answerMisdirected(ctx, publicUrl);
    ctx.state.brand = brand;
    pinOrigin(ctx, brand);
    return next();
  };
};
