import type Router from '@koa/router';
import { createActivityReviewRoutes } from '../activity-review/activity-review.routes.ts';
import { listAgreements } from '../agreement/agreement.service.ts';
import { createChangeLimit } from '../client-registry/change-limit.ts';
import { createClientRoutes } from '../client-registry/client.routes.ts';
import { createMachineAccess } from '../client-registry/machine-access.ts';
import { createRequesterFinder } from '../client-registry/requester.ts';
import { createDataExportRoutes } from '../data-export/data-export.routes.ts';
import { clearSession } from '../http/clear-session.ts';
import { createHealthRoutes } from '../http/health.routes.ts';
import { createAnswers } from '../interaction/answers.ts';
import { createDecisionRoutes } from '../interaction/decision.routes.ts';
import { createDetailsRoutes } from '../interaction/details.routes.ts';
import { createEntryRoutes } from '../interaction/entry.routes.ts';
import { createLoginRoutes } from '../interaction/login.routes.ts';
import { createInteractionOpener } from '../interaction/open-interaction.ts';
import { createPasskeySignInRoutes } from '../interaction/passkey.routes.ts';
import { createSecondFactorRoutes } from '../interaction/second-factor.routes.ts';
import { createSignInRoutes } from '../interaction/sign-in.routes.ts';
import { createLeavingRoutes } from '../leaving/leaving.routes.ts';
import { createFinishInteraction } from '../oidc/request/finish-interaction.ts';
import { createDocumentRoutes } from '../page/document.routes.ts';
import { createPageRoutes } from '../page/page.routes.ts';
import { createReferenceRoutes } from '../page/reference.routes.ts';
import { createPasskeyRoutes } from '../passkey/passkey.routes.ts';
import { createPictureRoutes } from '../picture/picture.routes.ts';
import { createRecoveryRoutes } from '../recovery/recovery.routes.ts';
import type { createCurrentSessionFinder } from '../session/current-session.ts';
import { createAccountRoutes } from '../settings/account.routes.ts';
import { createAvatarRoutes } from '../settings/avatar.routes.ts';
import { createAccountDescriber } from '../settings/described-account.ts';
import { createGrantRoutes } from '../settings/grant.routes.ts';
import { createIdentifierRoutes } from '../settings/identifier.routes.ts';
import { createPasswordRoutes } from '../settings/password.routes.ts';
import { createSessionRoutes } from '../settings/session.routes.ts';
import { createTotpRoutes } from '../settings/totp.routes.ts';
import { createUndoRoutes } from '../settings/undo.routes.ts';
import { createWaysRoutes } from '../settings/ways.routes.ts';
import { createProvenSessionFinder } from '../step-up/proven-session.ts';
import { createStepUpRoutes } from '../step-up/step-up.routes.ts';
import { createVerificationRoutes } from '../verification/verification.routes.ts';
import type { Parts } from './parts.ts';

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
  const { requireCurrent } = currentSession;
  const { db } = connection;
  const { providers } = protocol;
  const proven = createProvenSessionFinder({ ...identity, requireCurrent });
  const describeAccount = createAccountDescriber({ ...identity, ...storage });
  const own = { ...proofs, ...identity, ...currentSession, ...proven, describeAccount };
  const ofInteraction = {
    ...own,
    opener: createInteractionOpener({ providers, ...identity, ...storage }),
    answers: createAnswers({
      finishInteraction: createFinishInteraction(db),
      consents: identity.grants,
      events,
    }),
    events,
  };
  return [
    createHealthRoutes({ version, isReady }),
    createDocumentRoutes({ version, now }),
    ...(config.apiReference ? [createReferenceRoutes()] : []),
    createEntryRoutes({ ...ofInteraction, ...pages }),
    createDetailsRoutes({ ...ofInteraction, ...storage, agreements: listAgreements }),
    createLoginRoutes(ofInteraction),
    createDecisionRoutes({ ...ofInteraction, ...storage }),
    createSecondFactorRoutes(ofInteraction),
    createPasskeySignInRoutes(ofInteraction),
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
    createClientRoutes({
      ...storage,
      findRequester: createRequesterFinder({
        ...own,
        ...storage,
        machines: createMachineAccess({ ...storage, db }),
      }),
      countChange: createChangeLimit({ db, events, now }),
    }),
    createSignInRoutes(pages),
    createPageRoutes({ ...own, ...pages }),
  ];
};
