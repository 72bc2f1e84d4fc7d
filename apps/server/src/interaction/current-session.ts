import type { Context } from 'koa';
import type { AccountService } from '../account/account.service.ts';
import { AppError } from '../errors.ts';
import { stateOf } from '../http/request-state.ts';
import type { BrandProvider } from '../oidc/provider.ts';
import type { CurrentSession, SessionService } from '../session/session.service.ts';

export interface CurrentSessionOptions {
  providers: ReadonlyMap<string, BrandProvider>;
  accounts: AccountService;
  sessions: SessionService;
}

/** Reads the engine's session cookie for our own routes; it never saves or slides the session. */
export const createCurrentSessionFinder = ({ providers, accounts, sessions }: CurrentSessionOptions) => {
  const findCurrent = async (ctx: Context): Promise<CurrentSession | undefined> => {
    const brand = stateOf(ctx).brand.id;
    const session = await providers.get(brand)?.provider.Session.get(ctx as never);
    if (!session?.accountId) return undefined;
    const account = await accounts.findAccount(session.accountId);
    return account?.status === 'active'
      ? { brand, uid: session.uid, accountId: session.accountId }
      : undefined;
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
