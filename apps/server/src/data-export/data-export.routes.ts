import { accountApi } from '@candela/contract';
import Router from '@koa/router';
import type { Context } from 'koa';
import { AppError } from '../errors.ts';
import { mount } from '../http/mount.ts';
import { refuseOtherSites } from '../http/same-origin.ts';
import type { CurrentSession } from '../session/session.service.ts';
import type { DataExportService } from './data-export.service.ts';

export interface DataExportRoutesOptions {
  dataExports: DataExportService;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
  requireProven(ctx: Context): Promise<CurrentSession>;
}

/** A download is used up by its request: not by one of another site, nor by a HEAD, which gets nothing. */
const refuseProbes = async (ctx: Context): Promise<void> => {
  if (ctx.method === 'HEAD') throw new AppError('method_not_allowed');
  await refuseOtherSites(ctx);
};

export const createDataExportRoutes = ({
  dataExports,
  requireCurrent,
  requireProven,
}: DataExportRoutesOptions): Router => {
  const router = new Router();

  mount(router, accountApi.requestExport, async (ctx) => dataExports.request(await requireProven(ctx)));

  mount(router, accountApi.getExport, async (ctx) => dataExports.state(await requireCurrent(ctx)));

  mount(
    router,
    accountApi.downloadExport,
    async (ctx) => {
      const bytes = await dataExports.download(await requireProven(ctx));
      ctx.set('Cache-Control', 'no-store');
      ctx.attachment('account.zip');
      return bytes;
    },
    { before: refuseProbes },
  );

  return router;
};
