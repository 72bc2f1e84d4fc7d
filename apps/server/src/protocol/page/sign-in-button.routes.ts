import { createHash } from 'node:crypto';
import { locales } from '@candela/contract';
import type Router from '@koa/router';
import type { BrandLogos } from '../../branding/brand/brand-logo.ts';
import { AppError } from '../../ground/errors.ts';
import { createRouter } from '../../ground/router.ts';
import { stateOf } from '../../http/request-state.ts';
import { drawSignInButton, themes } from './sign-in-button.ts';

/** A brand may change its colours, and apps show the button from here. */
const CACHED = 'public, max-age=86400';

const pick = <Name extends string>(names: readonly Name[], given: string | undefined): Name => {
  const found = names.find((name) => name === given);
  if (!found) throw new AppError('not_found');
  return found;
};

/** Serves "Sign in with" and the name of the brand as a button, which pages of other origins may embed. */
export const createSignInButtonRoutes = ({ logoOf }: { logoOf: BrandLogos['logoOf'] }): Router => {
  const router = createRouter();
  router.get('/sign-in-button/:theme/:locale.svg', async (ctx) => {
    const { brand } = stateOf(ctx);
    const theme = pick(themes, ctx.params.theme);
    const locale = pick(locales, ctx.params.locale);
    const text = drawSignInButton(brand, { theme, locale, logo: logoOf(brand.id) });
    ctx.set({
      'Content-Security-Policy': "default-src 'none'; img-src data:; sandbox",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': CACHED,
      ETag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
    });
    ctx.type = 'image/svg+xml';
    ctx.status = 200;
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = text;
  });
  return router;
};
