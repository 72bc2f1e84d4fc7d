import type { Middleware } from 'koa';

/** Headers of every response. Forms may lead to the playground itself and, by a redirect, to the issuer. */
export function securityHeaders(issuer: string): Middleware {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    `form-action 'self' ${new URL(issuer).origin}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
  return async (ctx, next) => {
    ctx.set('Content-Security-Policy', policy);
    ctx.set('X-Content-Type-Options', 'nosniff');
    // With no-referrer, browsers send `Origin: null` with forms.
    ctx.set('Referrer-Policy', 'same-origin');
    ctx.set('Cache-Control', 'no-store');
    await next();
  };
}

/** Redirects a browser that used another name of this machine to the registered origin, where its cookie is. */
export function canonicalOrigin(origin: string): Middleware {
  const { host } = new URL(origin);
  return async (ctx, next) => {
    if (ctx.host === host) return await next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') ctx.throw(421, `This app is at ${origin}.`);
    ctx.redirect(origin + ctx.path + ctx.search);
  };
}

/** Refuses forms of other sites. */
export function sameOriginForms(origin: string): Middleware {
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      const site = ctx.get('Sec-Fetch-Site');
      const isOurs = site ? site === 'same-origin' : ctx.get('Origin') === origin;
      if (!isOurs) ctx.throw(403, 'This form was sent from another site.');
    }
    await next();
  };
}
