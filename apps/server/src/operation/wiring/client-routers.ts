import type Router from '@koa/router';
import { developersNeedOf } from '../../branding/brand/developers-need.ts';
import type { createCurrentSessionFinder } from '../../person/session/current-session.ts';
import { createChangeLimit } from '../../registration/client-registry/change-limit.ts';
import { createClientRoutes } from '../../registration/client-registry/client.routes.ts';
import { createInvitations } from '../../registration/client-registry/invitation.ts';
import { createMachineAccess } from '../../registration/client-registry/machine-access.ts';
import { createRequesterFinder } from '../../registration/client-registry/requester.ts';
import { createLinkCheckRoutes } from '../../registration/link-check/link-check.routes.ts';
import { createClientStreamRoutes } from '../../signals/client-stream/client-stream.routes.ts';
import { createClientStreamService } from '../../signals/client-stream/client-stream.service.ts';
import { createPollRoutes } from '../../signals/ssf/poll.routes.ts';
import { createReceivers } from '../../signals/ssf/receiver.ts';
import { createStreamRoutes } from '../../signals/ssf/stream.routes.ts';
import { createSubjectRoutes } from '../../signals/ssf/subject.routes.ts';
import type { Parts } from './parts.ts';

/** The routes of whoever registers clients, and of clients that receive signals. */
export const wireClientRouters = (
  { foundation, storage, proofs, signals }: Parts,
  { requireCurrent }: Pick<ReturnType<typeof createCurrentSessionFinder>, 'requireCurrent'>,
): Router[] => {
  const { events, now, connection } = foundation;
  const { db } = connection;
  const machines = createMachineAccess({ ...storage, db });
  const countChange = createChangeLimit({ db, events, now });
  const developersNeed = developersNeedOf(foundation.config.brands);
  const findRequester = createRequesterFinder({ ...storage, machines, developersNeed, requireCurrent });
  const receivers = createReceivers({ ...signals, machines, countChange });
  return [
    createClientRoutes({
      ...storage,
      findRequester,
      invitations: createInvitations({ ...storage, ...proofs, now }),
      countChange,
    }),
    createLinkCheckRoutes({ ...storage, findRequester, countChange }),
    createClientStreamRoutes({
      clientStreams: createClientStreamService({ ...signals, ...storage }),
      findRequester,
      countChange,
    }),
    createStreamRoutes({ ...signals, receivers }),
    createSubjectRoutes({ ...signals, receivers }),
    createPollRoutes({ ...signals, receivers }),
  ];
};
