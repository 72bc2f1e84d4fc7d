import { accountApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { createRouter } from '../../ground/router.ts';
import { readBrowserId } from '../../http/browser-cookie.ts';
import { mount } from '../../http/mount.ts';
import type { EndingService } from '../../link/ending/ending.service.ts';
import type { RememberedAccountService } from '../../person/remembered-account/remembered-account.service.ts';
import type { CurrentSession, SessionService } from '../../person/session/session.service.ts';

export interface SessionRoutesOptions {
  sessions: Pick<SessionService, 'listSessions'>;
  endings: Pick<EndingService, 'endSession' | 'endSessions'>;
  rememberedAccounts: Pick<RememberedAccountService, 'forgetAccount'>;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
  /** Takes the session cookie from the browser, and what pages kept. */
  clearCookie(ctx: Context): void;
}

export const createSessionRoutes = ({
  sessions,
  endings,
  rememberedAccounts,
  requireCurrent,
  clearCookie,
}: SessionRoutesOptions): Router => {
  const router = createRouter();

  mount(router, accountApi.listSessions, async (ctx, { query }) => {
    const current = await requireCurrent(ctx);
    return sessions.listSessions(current, query.after);
  });

  mount(router, accountApi.endSession, async (ctx, { params }) => {
    const current = await requireCurrent(ctx);
    await endings.endSession(current, params.id);
    if (params.id === current.uid) clearCookie(ctx);
  });

  mount(router, accountApi.endSessions, async (ctx, { query }) => {
    const current = await requireCurrent(ctx);
    const keepCurrent = query.except === 'current';
    await endings.endSessions(current, { keepCurrent, browserId: readBrowserId(ctx) });
    if (!keepCurrent) clearCookie(ctx);
  });

  mount(router, accountApi.signOut, async (ctx, { body }) => {
    const current = await requireCurrent(ctx);
    const browserId = readBrowserId(ctx);
    if (body.forget && browserId) await rememberedAccounts.forgetAccount(browserId, current.accountId);
    await endings.endSession(current, current.uid);
    clearCookie(ctx);
  });

  return router;
};
