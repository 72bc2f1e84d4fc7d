import { setTimeout } from 'node:timers/promises';
import Koa from 'koa';
import { createDeskOrigin } from '../../desk/desk-session/desk-origin.middleware.ts';
import { isClockRight } from '../../ground/db/clock.ts';
import { createWritability } from '../../ground/db/writability.ts';
import { sealingKeys } from '../../ground/seal.ts';
import { currentTracer } from '../../ground/trace/trace.ts';
import { createMethodCheck } from '../../http/allowed-methods.ts';
import { createCookieLifetimes } from '../../http/cookie-lifetimes.ts';
import { createCookieSigner } from '../../http/cookie-signer.ts';
import { createForeignCookieFilter } from '../../http/foreign-cookies.ts';
import { createListener } from '../../http/listener.ts';
import { createRequestMiddleware } from '../../http/request.middleware.ts';
import { sameOrigin } from '../../http/same-origin.ts';
import { createSecurityHeaders } from '../../http/security-headers.ts';
import { createAccountLanguage, createCurrentSessionFinder } from '../../person/session/current-session.ts';
import { createEngineMiddleware } from '../../protocol/oidc/engine.middleware.ts';
import { createReadiness } from '../../protocol/oidc/readiness.ts';
import { createBrandMiddleware } from '../../protocol/page/brand.middleware.ts';
import { createErrorHandler } from '../../protocol/page/error-handler.ts';
import { createDynamicRegistrationRoutes } from '../../registration/dynamic-registration/dynamic-registration.routes.ts';
import { createTraceMiddleware } from '../metrics/trace.middleware.ts';
import { tryRoom } from '../secret-key/serving-process.repository.ts';
import type { Parts } from './parts.ts';
import { wireRouters } from './routers.ts';

/** Most connections that a proxy keeps are used again within this time, and so meet `Connection: close`. */
const LINGER_MS = 5_000;

/** The listener, and the middleware that every request passes, in its order. */
export const wireHttp = (parts: Parts) => {
  const { config, logger, events } = parts.foundation;
  const { assets, pages } = parts.pages;
  const { brands, publicUrl, secretKeys, trustProxy } = config;
  let draining = false;
  const currentSession = createCurrentSessionFinder(parts.identity);
  const { db } = parts.foundation.connection;
  const writability = createWritability(db, () => tryRoom(db));
  const canServe = createReadiness({ db, writability, ...parts.protocol });
  const isReady = async () => !draining && isClockRight() && canServe();
  const routers = wireRouters(parts, { currentSession, isReady });
  const hasRegistration = config.dynamicRegistration !== 'off';
  const signer = createCookieSigner(config.cookieKeys);
  const koa = new Koa({
    proxy: trustProxy > 0,
    maxIpsCount: trustProxy,
  });
  koa.keys = signer;
  koa.silent = true;
  koa.use(createRequestMiddleware(logger));
  if (parts.meter) koa.use(parts.meter);
  if (currentTracer()) koa.use(createTraceMiddleware(config));
  koa.use(createForeignCookieFilter(signer));
  koa.use(createCookieLifetimes());
  koa.use(createSecurityHeaders(publicUrl));
  koa.use(createErrorHandler(logger, pages, writability.note));
  koa.use(createBrandMiddleware(koa, brands, { publicUrl, logger, pages }));
  koa.use(createDeskOrigin(config.deskOrigin));
  koa.use(assets.middleware);
  koa.use(createAccountLanguage(currentSession.findCurrent));
  koa.use(
    createEngineMiddleware({
      ...parts.protocol,
      ...parts.storage,
      hasRegistration,
      logoutKeys: sealingKeys(secretKeys, 'posted logouts'),
      events,
    }),
  );
  if (hasRegistration) koa.use(createDynamicRegistrationRoutes({ ...parts.storage, events }).routes());
  koa.use(createMethodCheck(routers));
  koa.use(sameOrigin);
  for (const router of routers) koa.use(router.routes());
  const listener = createListener(koa.callback(), config);
  return {
    isReady,
    listen: listener.listen,
    close: async (noticeMs: number) => {
      draining = true;
      await setTimeout(noticeMs);
      await listener.close({ lingerMs: noticeMs > 0 ? LINGER_MS : 0 });
    },
  };
};
