import { createAccountService } from '../account/account.service.ts';
import { createRefusedSignIns } from '../activity/refused-sign-ins.ts';
import { createActivityReviewService } from '../activity-review/activity-review.service.ts';
import { createSignInLinkService } from '../activity-review/sign-in-link.service.ts';
import { createSignInNotices } from '../activity-review/sign-in-notices.ts';
import { createAuthenticationService } from '../authentication/authentication.service.ts';
import { createDataExportService } from '../data-export/data-export.service.ts';
import { createEndingService } from '../ending/ending.service.ts';
import { createGrantService } from '../grant/grant.service.ts';
import { createInteractionService } from '../interaction/interaction.service.ts';
import { createPendingSignIns } from '../interaction/pending-sign-in.service.ts';
import { createLeavingService } from '../leaving/leaving.service.ts';
import { createPasskeyService } from '../passkey/passkey.service.ts';
import { createPasskeyProofs } from '../passkey/passkey-assertion.ts';
import { createRecoveryService } from '../recovery/recovery.service.ts';
import { createRememberedAccountService } from '../remembered-account/remembered-account.service.ts';
import { createSessionService } from '../session/session.service.ts';
import { createIdentifierChangeService } from '../settings/identifier-change.service.ts';
import { createPasswordService } from '../settings/password.service.ts';
import { createProfileService } from '../settings/profile.service.ts';
import { createTotpService } from '../settings/totp.service.ts';
import { createUndoService } from '../settings/undo.service.ts';
import { createWaitingChangeService } from '../settings/waiting-change.service.ts';
import { createStepUpService } from '../step-up/step-up.service.ts';
import { wireFactors } from './factors.ts';
import type { Foundation } from './foundation.ts';
import type { WiredPages } from './pages.ts';
import type { WiredProofs } from './proofs.ts';
import type { Registrations } from './registrations.ts';

export type WiredIdentity = Awaited<ReturnType<typeof wireIdentity>>;

/** Accounts and what belongs to them: sessions, grants, settings. */
export const wireIdentity = async (
  foundation: Foundation,
  { clients, resourceServers }: Registrations,
  proofs: WiredProofs,
  { pageTexts }: Pick<WiredPages, 'pageTexts'>,
) => {
  const {
    config: { brands, secretKeys },
    connection: { db },
    events,
    now,
  } = foundation;
  const accounts = createAccountService({ db });
  const grants = createGrantService({ db, clients, resourceServers });
  const factors = await wireFactors(foundation, proofs);
  const refusedSignIns = createRefusedSignIns({ db, now });
  const passkeyProofs = createPasskeyProofs({ ...proofs, db, refusedSignIns, events, now });
  const base = { ...proofs, ...factors, db, accounts, passkeyProofs, events, now };
  return {
    accounts,
    grants,
    ...factors,
    pendingSignIns: createPendingSignIns(base),
    totps: createTotpService(base),
    passkeys: createPasskeyService(base),
    passkeyProofs,
    rememberedAccounts: createRememberedAccountService({ db, now }),
    sessions: createSessionService({ db }),
    endings: createEndingService({ db, events }),
    interactions: createInteractionService({ db, clients }),
    authentication: createAuthenticationService({ ...base, refusedSignIns }),
    recovery: createRecoveryService({ ...base, refusedSignIns, grants }),
    profiles: createProfileService(base),
    identifiers: createIdentifierChangeService(base),
    waitingChanges: createWaitingChangeService({ ...base, brands }),
    undo: createUndoService(base),
    refusedSignIns,
    activityReview: createActivityReviewService({ ...base, clients }),
    signInNotices: createSignInNotices({ ...base, brands }),
    signInLinks: createSignInLinkService(base),
    passwords: createPasswordService(base),
    leavings: createLeavingService({ ...base, brands }),
    dataExports: createDataExportService({ ...base, clients, brands, secretKeys, pageTexts }),
    stepUps: createStepUpService(base),
  };
};
