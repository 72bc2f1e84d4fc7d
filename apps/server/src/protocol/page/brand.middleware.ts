import type Koa from 'koa';
import type { Middleware, Request } from 'koa';
import type { Brand } from '../../branding/brand/brand.ts';
import { AppError } from '../../ground/errors.ts';
import type { Logger } from '../../ground/logger.ts';
import { hasWebTarget, namesOneHost } from '../../http/request-target.ts';
import { headersFor } from '../../http/security-headers.ts';
import { createMisdirectedLog } from './misdirected-log.ts';
import { createMisdirectedAnswer } from './misdirected-page.ts';
import type { Pages } from './pages.ts';

/** Paths that any host has: a health probe does not know the brand's host. */
const HOSTLESS = new Set(['/healthz', '/readyz', '/version']);

/** Browsers ask for it at the relying party id itself, which may be a suffix of the hosts of brands. */
const RELATED_ORIGINS = '/.well-known/webauthn';

interface Origin {
  protocol: string;
  secure: boolean;
  host: string;
}

const toOrigin = ({ origin }: Brand): Origin => {
  const { protocol, host } = new URL(origin);
  return { protocol: protocol.slice(0, -1), secure: protocol === 'https:', host };
};

/**
 * Makes the origin of every request the origin of its brand, whatever a forged header says: the engine builds its URLs
 * from it.
 */
const pinOrigins = (koa: Koa, origins: ReadonlyMap<Brand, Origin>) => {
  const inherited: object = Object.getPrototypeOf(koa.request);
  const pinned = (name: keyof Origin): PropertyDescriptor => ({
    get(this: Request) {
      const origin = origins.get(this.ctx.state.brand);
      return origin ? origin[name] : Reflect.get(inherited, name, this);
    },
  });
  Object.defineProperties(koa.request, {
    protocol: pinned('protocol'),
    secure: pinned('secure'),
    host: pinned('host'),
  });
};

/** Chooses the brand by the exact Host, never by a forwarded one, whoever is trusted; any other host is 421 (RFC 9110 section 15.5.20). */
export const createBrandMiddleware = (
  koa: Koa,
  brands: readonly Brand[],
  {
    publicUrl,
    logger,
    pages,
  }: { publicUrl: string; logger: Pick<Logger, 'warn'>; pages: Pick<Pages, 'errorTextOf'> },
): Middleware => {
  const origins = new Map(brands.map((brand) => [brand, toOrigin(brand)]));
  const byHost = new Map([...origins].map(([brand, { host }]) => [host, brand]));
  const noteMisdirected = createMisdirectedLog(logger, [...byHost.keys()]);
  const answerMisdirected = createMisdirectedAnswer(brands, publicUrl, pages);
  pinOrigins(koa, origins);
  return (ctx, next) => {
    if (!hasWebTarget(ctx.req) || !namesOneHost(ctx.req)) throw new AppError('invalid_request');
    if (HOSTLESS.has(ctx.path)) return next();
    const host = ctx.get('host').toLowerCase();
    const brand =
      byHost.get(host) ??
      (ctx.path === RELATED_ORIGINS ? brands.find(({ rpId }) => rpId === host) : undefined);
    if (!brand) {
      noteMisdirected({ host: ctx.get('host'), forwardedHost: ctx.get('x-forwarded-host') });
      return answerMisdirected(ctx);
    }
    ctx.state.brand = brand;
    if (brand.origin !== publicUrl) ctx.set(headersFor(brand.origin));
    return next();
  };
};
