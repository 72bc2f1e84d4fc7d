import { pageAt, pages } from '@candela/contract/pages';
import { cookieNames } from '@candela/contract/rules/cookie-names';
import type { Context, Middleware } from 'koa';
import { AppError } from '../../ground/errors.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { stateOf } from '../../http/request-state.ts';
import type { CurrentSession, SessionService } from './session.service.ts';

/** Whether the account chooses the language, although the path can be asked for without a session. */
const isInAccountLanguage = (path: string): boolean => {
  if (path.startsWith('/oauth/')) return path === '/oauth/logout';
  const page = pageAt(path);
  return page !== undefined && pages[page].language === 'account' && pages[page].needs !== 'session';
};

/** Answers whoever is signed in in the account's language, unless the person chose another one in this browser. */
export const createAccountLanguage =
  (findCurrent: (ctx: Context) => Promise<CurrentSession | undefined>): Middleware =>
  (ctx, next) => {
    if (ctx.method !== 'GET' || !isInAccountLanguage(ctx.path) || stateOf(ctx).choseLocale) return next();
    // Without the database a page is still worth drawing.
    return findCurrent(ctx).then(next, next);
  };

/** Reads the engine's session cookie for our own routes; it never saves or slides the session. */
export const createCurrentSessionFinder = ({ sessions }: { sessions: SessionService }) => {
  /** From here on the request is answered in the account's language. */
  const findCurrent = async (ctx: Context): Promise<CurrentSession | undefined> => {
    const state = stateOf(ctx);
    const { id: brand, origin } = state.brand;
    const id = ctx.cookies.get(cookieNames(origin).session, { signed: true });
    const current = id ? await sessions.findCurrent({ brand, idHash: hashToken(id) }) : undefined;
    if (current && !state.choseLocale) state.locale = current.locale;
    return current;
  };

  return {
    findCurrent,
    /** @throws AppError not_signed_in */
    requireCurrent: async (ctx: Context): Promise<CurrentSession> => {
      const current = await findCurrent(ctx);
      if (!current) throw new AppError('not_signed_in');
      await sessions.touchSession(current);
      return current;
    },
  };
};
