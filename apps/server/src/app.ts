import { setTimeout } from 'node:timers/promises';
import { cookieNames } from '@candela/contract/rules/cookie-names';
import Koa, { type Context } from 'koa';
import { createAccountService } from './account/account.service.ts';
import { listAgreements } from './agreement/agreement.service.ts';
import { createAuthenticationService } from './authentication/authentication.service.ts';
import { createPasswordLimits } from './authentication/password-limits.ts';
import { createUnknownAccount } from './authentication/unknown-account.ts';
import { createBackchannelLogoutService } from './backchannel-logout/backchannel-logout.service.ts';
import { loadBrandLogos } from './brand/brand-logo.ts';
import { createPageWords } from './brand/page-words.ts';
import { createClientService } from './client/client.service.ts';
import { createClientLogoService } from './client/client-logo.service.ts';
import { createLogoDownload } from './client/logo-download.ts';
import type { Config } from './config/config.ts';
import { createPasswordHasher, hashConcurrency, hashQueue } from './credential/password-hasher.ts';
import { createPasswordPolicy } from './credential/password-policy.ts';
import { createChangeFeed } from './db/change-feed.ts';
import { databaseNow, isClockRight, startClock } from './db/clock.ts';
import type { Connection } from './db/connect.ts';
import { createGateways } from './delivery/gateways.ts';
import { createMessageQueue } from './delivery/message-queue.ts';
import { createDeviceService } from './device/device.service.ts';
import { createEvents, type Events } from './event/events.ts';
import { createGrantRoutes } from './grant/grant.routes.ts';
import { createGrantService } from './grant/grant.service.ts';
import { createMethodCheck } from './http/allowed-methods.ts';
import { createCookieSigner } from './http/cookie-signer.ts';
import { createForeignCookieFilter } from './http/foreign-cookies.ts';
import { createHealthRoutes } from './http/health.routes.ts';
import { createListener } from './http/listener.ts';
import { createRequestMiddleware } from './http/request.middleware.ts';
import { factsOf, stateOf } from './http/request-state.ts';
import { sameOrigin } from './http/same-origin.ts';
import { createSecurityHeaders } from './http/security-headers.ts';
import { createAnswers } from './interaction/answers.ts';
import { createInteractionRoutes } from './interaction/interaction.routes.ts';
import { createInteractionService } from './interaction/interaction.service.ts';
import { createInteractionOpener } from './interaction/open-interaction.ts';
import { createPortalRoutes } from './interaction/portal.routes.ts';
import type { Logger } from './logger.ts';
import { createLogoutSender } from './oidc/backchannel-logout.ts';
import { createBrandProviders } from './oidc/brand-providers.ts';
import { createFailedAuthentications } from './oidc/client/failed-authentication.ts';
import { createEngineMiddleware } from './oidc/engine.middleware.ts';
import { createEnginePages } from './oidc/engine-pages.ts';
import { createBrandProvider } from './oidc/provider.ts';
import { createReadiness } from './oidc/readiness.ts';
import { createAnonymousLimits } from './oidc/request/anonymous-limits.ts';
import { createOutboundRequest } from './outbound/outbound-request.ts';
import { createAssets } from './page/assets.ts';
import { createBrandMiddleware } from './page/brand.middleware.ts';
import { createDocumentRoutes } from './page/document.routes.ts';
import { createErrorHandler } from './page/error-handler.ts';
import { createPages } from './page/pages.ts';
import { loadPairwiseSalt } from './pairwise-salt/pairwise-salt.service.ts';
import { createPictureRoutes } from './picture/picture.routes.ts';
import { createPictureEncoder } from './picture/picture-encoder.ts';
import { createKeyOf } from './rate-limit/key-of.ts';
import { createRecoveryRoutes } from './recovery/recovery.routes.ts';
import { createRecoveryService } from './recovery/recovery.service.ts';
import {
  createResourceServerService,
  type ResourceServerService,
} from './resource-server/resource-server.service.ts';
import { sealingKeys } from './seal.ts';
import { loadKeptKeys, loadNonceKey } from './secret-key/kept-key.service.ts';
import { createAccountLanguage, createCurrentSessionFinder } from './session/current-session.ts';
import { createSessionRoutes } from './session/session.routes.ts';
import { createSessionService } from './session/session.service.ts';
import { createAccountRoutes } from './settings/account.routes.ts';
import { createAvatarRoutes } from './settings/avatar.routes.ts';
import { createAvatarService } from './settings/avatar.service.ts';
import { createIdentifierRoutes } from './settings/identifier.routes.ts';
import { createIdentifierChangeService } from './settings/identifier-change.service.ts';
import { createPasswordRoutes } from './settings/password.routes.ts';
import { createPasswordService } from './settings/password.service.ts';
import { createProfileService } from './settings/profile.service.ts';
import { createUndoRoutes } from './settings/undo.routes.ts';
import { createUndoService } from './settings/undo.service.ts';
import { createWaitingChangeService, type WaitingChangeService } from './settings/waiting-change.service.ts';
import { createProvenSessionFinder } from './step-up/proven-session.ts';
import { createStepUpRoutes } from './step-up/step-up.routes.ts';
import { createStepUpService } from './step-up/step-up.service.ts';
import { countingNotices } from './verification/notice-budget.ts';
import { createVerificationService, type VerificationService } from './verification/verification.service.ts';

export interface AppOptions {
  config: Config;
  connection: Connection;
  logger: Logger;
  /** The built SPA. */
  webDist: string;
  version: string;
  /** Shows a line to whoever started the server. */
  print: (line: string) => void;
  now?: () => Date;
  /** Of this process; of its own unless told. */
  events?: Events;
}

export interface App {
  /** Listens and answers the port, which is another than asked for only where that was 0. */
  listen(): Promise<number>;
  /** Says in /readyz that it drains for `noticeMs`, stops accepting, lets what runs finish, then resolves. */
  close(options?: { noticeMs?: number }): Promise<void>;
  clients: ReturnType<typeof createClientService>;
  logos: ReturnType<typeof createClientLogoService>;
  resourceServers: ResourceServerService;
  waitingChanges: WaitingChangeService;
  /** What this process counts, for `http/metrics.ts`. */
  countCodes: VerificationService['countCodes'];
  countEvents: Events['counts'];
}

/** Within so long a proxy uses each connection that it keeps, or leaves it alone. */
const LINGER_MS = 1_000;
const PICTURE_QUEUE = 32;

/** Wires the whole server together; the one place besides `main.ts` that constructs. */
export const createApp = async (options: AppOptions): Promise<App> => {
  const { config, connection, logger, webDist, version, print, now = databaseNow } = options;
  const { db } = connection;
  const { secretKeys } = config;
  const { brands } = config;

  const { events = createEvents(logger) } = options;
  const pairwiseSalt = await loadPairwiseSalt({ db, secretKeys });
  const nonceKey = await loadNonceKey({ db, secretKeys });
  const formerHashKeys = await loadKeptKeys({ db, secretKeys }, 'client secrets');
  // The embedded database has the clock of this process.
  const clock = connection.kind === 'postgres' ? await startClock(db, logger) : undefined;
  const changes = await createChangeFeed(connection, logger);
  const clients = createClientService({ db, secretKeys, formerHashKeys, changes, events });
  const resourceServers = createResourceServerService({ db, changes, events });
  const encoder = createPictureEncoder({ maxQueue: PICTURE_QUEUE, logger });
  const brandLogos = await loadBrandLogos(brands, encoder);
  const logos = createClientLogoService({
    db,
    encoder,
    download: createLogoDownload({ privateHosts: config.logoHosts }),
    logger,
    now,
  });
  const avatars = createAvatarService({ db, encoder, events, now });
  const accounts = createAccountService({ db });
  const devices = createDeviceService({ db, now });
  const sessions = createSessionService({ db, events });
  const grants = createGrantService({ db, clients, resourceServers, events });
  const interactions = createInteractionService({ db, clients });
  const messages = createMessageQueue({
    db,
    senders: createGateways({ ...config, now, print }),
    secretKeys,
    logger,
  });
  const keyOf = createKeyOf(sealingKeys(secretKeys, 'rate limits')[0]);
  const verification = createVerificationService({
    db,
    messages,
    keyOf,
    keys: sealingKeys(secretKeys, 'verification codes'),
    limits: config.codes,
    now,
    unknownAccount: config.unknownAccount,
    events,
  });
  const notices = countingNotices({ db, messages, limits: config.codes, keyOf, now });
  const hasher = createPasswordHasher(hashQueue(hashConcurrency(config.workers)));
  const passwordLimits = createPasswordLimits({ db, keyOf, events, now });
  const passwordPolicy = createPasswordPolicy({
    profile: config.passwordProfile,
    brandNames: brands.map(({ name }) => name),
  });
  const authentication = createAuthenticationService({
    db,
    verification,
    hasher,
    passwordPolicy,
    passwordLimits,
    unknownAccount: createUnknownAccount({ db, policy: config.unknownAccount, keyOf, events, now }),
    events,
    now,
  });
  const recovery = createRecoveryService({
    db,
    verification,
    grants,
    hasher,
    passwordLimits,
    passwordPolicy,
    messages: notices,
    events,
    now,
  });
  const profiles = createProfileService({ db, accounts, now });
  const identifiers = createIdentifierChangeService({
    db,
    accounts,
    verification,
    messages: notices,
    events,
    now,
  });
  const waitingChanges = createWaitingChangeService({ db, messages: notices, events, brands, now });
  const undo = createUndoService({ db, messages: notices, events, now });
  const passwords = createPasswordService({ db, hasher, passwordPolicy, messages: notices, events, now });
  const stepUps = createStepUpService({ db, verification, hasher, passwordLimits, events, now });

  const assets = createAssets(webDist);
  const pageWords = createPageWords(brands, assets.publish);
  const pages = createPages({
    webDist,
    ownWords: pageWords.of,
    passwordProfile: config.passwordProfile,
    assetOrigin: config.assetOrigin,
    brandLogo: brandLogos.pathOf,
  });
  const enginePages = createEnginePages({ pages, clients, logger });
  const outbound = createOutboundRequest({
    privateHosts: config.backchannelHosts,
    plainAtPrivateHosts: true,
  });
  const anonymousLimits = createAnonymousLimits({ db, events });
  const failures = createFailedAuthentications({ db, events });
  const { providers, close: closeProviders } = await createBrandProviders({
    brands,
    db,
    secretKeys,
    changes,
    logger,
    createProvider: (brand, signingKeys) =>
      createBrandProvider({
        brand,
        db,
        clients,
        anonymousLimits,
        userCodeKeys: {
          hash: sealingKeys(secretKeys, 'user codes'),
          seal: sealingKeys(secretKeys, 'user codes shown'),
        },
        consents: grants,
        resourceServers,
        signingKeys,
        cookieKeys: config.cookieKeys,
        nonceKey,
        pairwiseSalt,
        outbound,
        pages: enginePages,
        facts: factsOf,
        events,
        failures,
      }),
  });

  const logouts = createBackchannelLogoutService({
    db,
    sender: createLogoutSender(providers),
    events,
    logger,
  });
  changes.on('backchannel_logout', logouts.wake);

  const { findCurrent, requireCurrent } = createCurrentSessionFinder({ sessions });
  const requireProven = createProvenSessionFinder({ stepUps, requireCurrent });
  const clearCookie = (ctx: Context) => {
    const { origin } = stateOf(ctx).brand;
    ctx.cookies.set(cookieNames(origin).session, null, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      signed: true,
    });
    ctx.set('Clear-Site-Data', '"cache", "storage"');
  };
  const canServe = createReadiness({ db, providers });
  const routers = [
    createHealthRoutes({
      version,
      isReady: async () => !draining && isClockRight() && canServe(),
    }),
    createDocumentRoutes({ version, now }),
    createInteractionRoutes({
      opener: createInteractionOpener({ providers, interactions, clients }),
      answers: createAnswers({ db, consents: grants, events }),
      accounts,
      authentication,
      verification,
      devices,
      resourceServers,
      agreements: listAgreements,
      pages,
      events,
    }),
    createAccountRoutes({ accounts, profiles, verification, requireCurrent }),
    createIdentifierRoutes({ identifiers, requireCurrent, requireProven }),
    createUndoRoutes({ undo }),
    createPasswordRoutes({ passwords, requireProven }),
    createStepUpRoutes({ stepUps, requireCurrent }),
    createAvatarRoutes({ avatars, accounts, requireCurrent }),
    createPictureRoutes({
      findAvatar: avatars.findAvatar,
      findLogo: async (name) => brandLogos.find(name) ?? logos.findLogo(name),
    }),
    createRecoveryRoutes({ recovery }),
    createSessionRoutes({ sessions, devices, requireCurrent, clearCookie }),
    createGrantRoutes({ grants, requireCurrent }),
    createPortalRoutes({ pages, findCurrent }),
  ];

  const signer = createCookieSigner(config.cookieKeys);
  const koa = new Koa({
    proxy: config.trustProxy > 0,
    maxIpsCount: config.trustProxy,
    keys: signer as unknown as string[],
  });
  koa.silent = true;
  koa.use(createRequestMiddleware(logger));
  koa.use(createForeignCookieFilter(signer));
  koa.use(createSecurityHeaders(config.publicUrl));
  koa.use(createErrorHandler(logger, pages));
  koa.use(createBrandMiddleware(koa, brands, { publicUrl: config.publicUrl, logger }));
  koa.use(assets.middleware);
  koa.use(createAccountLanguage(findCurrent));
  koa.use(
    createEngineMiddleware({
      providers,
      clients,
      logoutKeys: sealingKeys(secretKeys, 'posted logouts'),
      events,
    }),
  );
  koa.use(createMethodCheck(routers));
  koa.use(sameOrigin);
  for (const router of routers) koa.use(router.routes());

  const listener = createListener(koa.callback(), config);
  let draining = false;
  return {
    clients,
    logos,
    resourceServers,
    waitingChanges,
    countCodes: verification.countCodes,
    countEvents: events.counts,
    listen: listener.listen,
    close: async ({ noticeMs = 0 } = {}) => {
      draining = true;
      await setTimeout(noticeMs);
      await listener.close({ lingerMs: Math.min(noticeMs, LINGER_MS) });
      await Promise.all([messages.close(), logouts.close(), encoder.close()]);
      await changes.close();
      await clock?.stop();
      await closeProviders();
    },
  };
};
