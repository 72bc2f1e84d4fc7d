import { accountApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { AppError } from '../../ground/errors.ts';
import { createRouter } from '../../ground/router.ts';
import { mount } from '../../http/mount.ts';
import { refuseOtherSites } from '../../http/same-origin.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { DataExportService } from './data-export.service.ts';

export interface DataExportRoutesOptions {
  dataExports: DataExportService;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
  requireProven(ctx: Context): Promise<CurrentSession>;
}

export const createDataExportRoutes = ({
  dataExports,
  requireCurrent,
  requireProven,
}: DataExportRoutesOptions): Router => {
  const router = createRouter();

  mount(router, accountApi.requestExport, async (ctx) => dataExports.request(await requireProven(ctx)));

  mount(router, accountApi.getExport, async (ctx) => dataExports.state(await requireCurrent(ctx)));

  mount(
    router,
    accountApi.downloadExport,
    async (ctx) => {
      const current = await requireProven(ctx);
      // It would use up the file and get nothing.
      if (ctx.method === 'HEAD') throw new AppError('method_not_allowed');
      const bytes = await dataExports.download(current);
      ctx.set('Cache-Control', 'no-store');
      ctx.attachment('account.zip');
      return bytes;
    },
    { before: refuseOtherSites },
  );

  return router;
};
