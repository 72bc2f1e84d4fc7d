import type { Context } from 'koa';

/** Leads the browser to another address with GET (RFC 9110 section 15.4.4). */
export const seeOther = (ctx: Context, location: string): void => {
  ctx.redirect(location);
  ctx.status = 303;
};
