import type Router from '@koa/router';
import { developersNeedOf } from '../../branding/brand/developers-need.ts';
import { createPictureRoutes } from '../../branding/picture/picture.routes.ts';
import { createActivityReviewRoutes } from '../../care/activity-review/activity-review.routes.ts';
import { createDataExportRoutes } from '../../care/data-export/data-export.routes.ts';
import { createLeavingRoutes } from '../../care/leaving/leaving.routes.ts';
import { createRecoveryRoutes } from '../../care/recovery/recovery.routes.ts';
import { createAccountRoutes } from '../../care/settings/account.routes.ts';
import { createAvatarRoutes } from '../../care/settings/avatar.routes.ts';
import { createAccountDescriber } from '../../care/settings/described-account.ts';
import { createGrantRoutes } from '../../care/settings/grant.routes.ts';
import { createIdentifierRoutes } from '../../care/settings/identifier.routes.ts';
import { createPasswordRoutes } from '../../care/settings/password.routes.ts';
import { createSessionRoutes } from '../../care/settings/session.routes.ts';
import { createTotpRoutes } from '../../care/settings/totp.routes.ts';
import { createUndoRoutes } from '../../care/settings/undo.routes.ts';
import { createWaysRoutes } from '../../care/settings/ways.routes.ts';
import { clearSession } from '../../http/clear-session.ts';
import { createHealthRoutes } from '../../http/health.routes.ts';
import { createPasskeyRoutes } from '../../person/passkey/passkey.routes.ts';
import type { createCurrentSessionFinder } from '../../person/session/current-session.ts';
import { createProvenSessionFinder } from '../../person/step-up/proven-session.ts';
import { createStepUpRoutes } from '../../person/step-up/step-up.routes.ts';
import { createVerificationRoutes } from '../../person/verification/verification.routes.ts';
import { createAnswers } from '../../protocol/interaction/answers.ts';
import { createDecisionRoutes } from '../../protocol/interaction/decision.routes.ts';
import { createProviderDescriber } from '../../protocol/interaction/describe-providers.ts';
import { createDetailsRoutes } from '../../protocol/interaction/details.routes.ts';
import { createEntryRoutes } from '../../protocol/interaction/entry.routes.ts';
import { createLoginRoutes } from '../../protocol/interaction/login.routes.ts';
import { createNativeApprovalRoutes } from '../../protocol/interaction/native-approval.routes.ts';
import { createInteractionOpener } from '../../protocol/interaction/open-interaction.ts';
import { createPasskeySignInRoutes } from '../../protocol/interaction/passkey.routes.ts';
import { createSecondFactorRoutes } from '../../protocol/interaction/second-factor.routes.ts';
import { createSignInRoutes } from '../../protocol/interaction/sign-in.routes.ts';
import { createFinishInteraction } from '../../protocol/oidc/request/finish-interaction.ts';
import { createDocumentRoutes } from '../../protocol/page/document.routes.ts';
import { createDocumentationRoutes } from '../../protocol/page/documentation.routes.ts';
import { createPageRoutes } from '../../protocol/page/page.routes.ts';
import { createReferenceRoutes } from '../../protocol/page/reference.routes.ts';
import { createSignInButtonRoutes } from '../../protocol/page/sign-in-button.routes.ts';
import { wireClientRouters } from './client-routers.ts';
import { wireDeskRouters } from './desk.ts';
import type { Parts } from './parts.ts';
import { wireProviderRouters } from './provider-routers.ts';

export interface RoutersOptions {
  currentSession: ReturnType<typeof createCurrentSessionFinder>;
  /** Whether the process can serve, and is not about to stop. */
  isReady(): Promise<boolean>;
}

/** All routes of our own. */
export const wireRouters = (parts: Parts, options: RoutersOptions): Router[] => {
  const { foundation, storage, pictures, proofs, identity, pages, protocol, version } = parts;
  const { config, now, events, connection } = foundation;
  const { brandLogos, logos, avatars } = pictures;
  const { currentSession, isReady } = options;
  const { federation } = identity;
  const hasProviders = !federation.directory.isEmpty;
  const proven = createProvenSessionFinder({ ...identity, ...currentSession });
  const describeAccount = createAccountDescriber({ ...identity, ...storage });
  const own = { ...proofs, ...identity, ...currentSession, ...proven, describeAccount };
  const ofInteraction = {
    ...own,
    opener: createInteractionOpener({ ...protocol, ...identity, ...storage }),
    answers: createAnswers({
      finishInteraction: createFinishInteraction(connection.db),
      consents: identity.grants,
      arrivals: hasProviders ? federation.arrivals : undefined,
      events,
      now,
    }),
    events,
    describeProviders: hasProviders ? createProviderDescriber(federation) : undefined,
  };
  const desk = wireDeskRouters(parts, { ...currentSession, ...proven });
  return [
    createHealthRoutes({ version, isReady }),
    createDocumentRoutes({ version, now }),
    ...(config.apiReference ? [createReferenceRoutes()] : []),
    createEntryRoutes({ ...ofInteraction, ...pages }),
    createDetailsRoutes({ ...ofInteraction, ...storage }),
    createLoginRoutes(ofInteraction),
    createDecisionRoutes({ ...ofInteraction, ...storage }),
    ...wireProviderRouters({ ...ofInteraction, ...pages, ...federation }),
    createSecondFactorRoutes(ofInteraction),
    createPasskeySignInRoutes(ofInteraction),
    createNativeApprovalRoutes(protocol),
    createPasskeyRoutes({ ...own, brands: config.brands }),
    createAccountRoutes(own),
    createVerificationRoutes(own),
    createIdentifierRoutes(own),
    createUndoRoutes(own),
    createActivityReviewRoutes(own),
    createDataExportRoutes(own),
    createLeavingRoutes({ ...own, clearCookie: clearSession }),
    createPasswordRoutes(own),
    createTotpRoutes(own),
    createWaysRoutes(own),
    createStepUpRoutes(own),
    createAvatarRoutes({ ...own, avatars }),
    createPictureRoutes({
      findAvatar: avatars.findAvatar,
      findLogo: async (name) => brandLogos.find(name) ?? logos.findLogo(name),
    }),
    createRecoveryRoutes(own),
    createSessionRoutes({ ...own, clearCookie: clearSession }),
    createGrantRoutes(own),
    ...wireClientRouters(parts, currentSession),
    ...desk.routers,
    createSignInRoutes({ ...pages, developersNeed: developersNeedOf(config.brands) }),
    createSignInButtonRoutes(brandLogos),
    createDocumentationRoutes(pages),
    createPageRoutes({ ...own, ...pages, deskRoleAt: desk.roleAt }),
  ];
};
