import { createActivityReviewService } from '../../care/activity-review/activity-review.service.ts';
import { createSignInLinkService } from '../../care/activity-review/sign-in-link.service.ts';
import { createSignInNotices } from '../../care/activity-review/sign-in-notices.ts';
import { createDataExportService } from '../../care/data-export/data-export.service.ts';
import { createLeavingService } from '../../care/leaving/leaving.service.ts';
import { createRecoveryService } from '../../care/recovery/recovery.service.ts';
import { createIdentifierChangeService } from '../../care/settings/identifier-change.service.ts';
import { createPasswordService } from '../../care/settings/password.service.ts';
import { createProfileService } from '../../care/settings/profile.service.ts';
import { createTotpService } from '../../care/settings/totp.service.ts';
import { createUndoService } from '../../care/settings/undo.service.ts';
import { createWaitingChangeService } from '../../care/settings/waiting-change.service.ts';
import { createEndingService } from '../../link/ending/ending.service.ts';
import { createGrantService } from '../../link/grant/grant.service.ts';
import { createGrantChangeService } from '../../link/grant/grant-change.service.ts';
import { createLinkEndNotices } from '../../link/grant/link-end-notices.ts';
import { createAccountService } from '../../person/account/account.service.ts';
import { createRefusedSignIns } from '../../person/activity/refused-sign-ins.ts';
import { loadAgreements } from '../../person/agreement/agreement.service.ts';
import { createAuthenticationService } from '../../person/authentication/authentication.service.ts';
import { createPasskeyService } from '../../person/passkey/passkey.service.ts';
import { createPasskeyProofs } from '../../person/passkey/passkey-assertion.ts';
import { createRememberedAccountService } from '../../person/remembered-account/remembered-account.service.ts';
import { createSessionService } from '../../person/session/session.service.ts';
import { createStepUpService } from '../../person/step-up/step-up.service.ts';
import { createInteractionService } from '../../protocol/interaction/interaction.service.ts';
import { createPendingSignIns } from '../../protocol/interaction/pending-sign-in.service.ts';
import { wireFactors } from './factors.ts';
import { wireFederation } from './federation.ts';
import type { Foundation } from './foundation.ts';

import type { WiredProofs } from './proofs.ts';
import type { Registrations } from './registrations.ts';
import type { WiredWords } from './words.ts';

export type WiredIdentity = Awaited<ReturnType<typeof wireIdentity>>;

/** Accounts and what belongs to them: sessions, grants, settings. */
export const wireIdentity = async (
  foundation: Foundation,
  { clients, resourceServers }: Registrations,
  proofs: WiredProofs,
  { catalog: { pages: pageTexts } }: Pick<WiredWords, 'catalog'>,
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
  const agreements = await loadAgreements(db, { brands, now });
  const federation = wireFederation(foundation, proofs, agreements);
  const { directory } = federation;
  const base = { ...proofs, ...factors, db, accounts, passkeyProofs, directory, events, now };
  return {
    accounts,
    agreements,
    federation,
    grants,
    grantChanges: createGrantChangeService({ db, clients, resourceServers, events, now }),
    ...factors,
    pendingSignIns: createPendingSignIns(base),
    totps: createTotpService(base),
    passkeys: createPasskeyService(base),
    passkeyProofs,
    rememberedAccounts: createRememberedAccountService({ db }),
    sessions: createSessionService({ db }),
    endings: createEndingService({ db, events }),
    interactions: createInteractionService({ db, clients }),
    authentication: createAuthenticationService({ ...base, agreements, refusedSignIns }),
    recovery: createRecoveryService({ ...base, refusedSignIns, grants }),
    profiles: createProfileService(base),
    identifiers: createIdentifierChangeService(base),
    waitingChanges: createWaitingChangeService({ ...base, brands }),
    undo: createUndoService(base),
    refusedSignIns,
    activityReview: createActivityReviewService({ ...base, clients }),
    linkEndNotices: createLinkEndNotices({ ...base, clients, brands }),
    signInNotices: createSignInNotices({ ...base, brands }),
    signInLinks: createSignInLinkService(base),
    passwords: createPasswordService(base),
    leavings: createLeavingService({ ...base, brands }),
    dataExports: createDataExportService({ ...base, clients, brands, secretKeys, pageTexts }),
    stepUps: createStepUpService(base),
  };
};
