import type Router from '@koa/router';
import type { Context } from 'koa';
import type { ActBrand } from '../../desk/act/act-work.ts';
import { createAppRoutes } from '../../desk/app/app.routes.ts';
import { createAppService } from '../../desk/app/app.service.ts';
import { createBrandWordsRoutes } from '../../desk/brand-words/brand-words.routes.ts';
import { createBrandWordsService } from '../../desk/brand-words/brand-words.service.ts';
import type { MountForStaff } from '../../desk/desk-session/staff-endpoint.ts';
import { createDeveloperRequestRoutes } from '../../desk/developer-request/developer-request.routes.ts';
import { createDeveloperRequestService } from '../../desk/developer-request/developer-request.service.ts';
import { createRequestAnswering } from '../../desk/developer-request/request-answering.ts';
import { createServiceRoutes } from '../../desk/service/service.routes.ts';
import { createServiceService } from '../../desk/service/service.service.ts';
import type { createCurrentSessionFinder } from '../../person/session/current-session.ts';
import { findBacklog } from '../metrics/backlog.repository.ts';
import { listProcesses } from '../secret-key/serving-process.service.ts';
import type { Parts } from './parts.ts';

interface DeskServiceRouterOptions
  extends Pick<ReturnType<typeof createCurrentSessionFinder>, 'requireCurrent'> {
  mountForStaff: MountForStaff;
  brandOf(ctx: Context): ActBrand;
}

/** The routes of the desk that are about no account: the service, apps, and who may register them. */
export const wireDeskServiceRouters = (
  { foundation, storage, proofs, words }: Pick<Parts, 'foundation' | 'storage' | 'proofs' | 'words'>,
  options: DeskServiceRouterOptions,
): Router[] => {
  const { connection, events, now } = foundation;
  const { db, kind } = connection;
  const base = { ...storage, ...proofs, db, events, now };
  return [
    createServiceRoutes({
      ...options,
      service: createServiceService({
        db,
        kind,
        findBacklog: () => findBacklog(db),
        listProcesses: () => listProcesses(db),
      }),
    }),
    createBrandWordsRoutes({
      ...options,
      brandWords: createBrandWordsService({ ...words, db, events, brands: words.fileBrands }),
    }),
    createAppRoutes({ ...options, apps: createAppService(base) }),
    createDeveloperRequestRoutes({
      ...options,
      developerRequests: createDeveloperRequestService(base),
      requestAnswering: createRequestAnswering(base),
    }),
  ];
};
