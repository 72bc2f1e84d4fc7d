import type { Context } from 'koa';
import { AppError } from '../errors.ts';
import { stateOf } from '../http/request-state.ts';
import { hashId } from '../oidc/columns.ts';
import { cookieNames } from '../oidc/configuration.ts';
import type { CurrentSession, SessionService } from '../session/session.service.ts';

/** Reads the engine's session cookie for our own routes; it never saves or slides the session. */
export const createCurrentSessionFinder = ({ sessions }: { sessions: SessionService }) => {
  const findCurrent = async (ctx: Context): Promise<CurrentSession | undefined> => {
    const { brand } = stateOf(ctx);
    const id = ctx.cookies.get(cookieNames(brand.origin).session, { signed: true });
    return id ? sessions.findCurrent({ brand: brand.id, idHash: hashId(id) }) : undefined;
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
