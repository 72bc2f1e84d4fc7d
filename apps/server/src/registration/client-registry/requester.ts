import { isAtLeast, type StrongClass } from '@candela/contract/rules/authentication-classes';
import type { Context } from 'koa';
import type { Developer } from '../../clients/client/actor.ts';
import { CLIENTS_SCOPE, ownApiOf } from '../../clients/resource-server/own-api.ts';
import { AppError } from '../../ground/errors.ts';
import { bearerOf } from '../../http/bearer.ts';
import { stateOf } from '../../http/request-state.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import { challenge, requireMachine } from './bearer.ts';
import type { MachineAccess, TokenNeed } from './machine-access.ts';

export interface RequesterOptions {
  machines: MachineAccess;
  /** The weakest class of sign-in of a developer; undefined: every class. */
  developersNeed: StrongClass | undefined;
  developers: { isDeveloper(accountId: string): Promise<boolean> };
  requireCurrent(ctx: Context): Promise<CurrentSession>;
}

/** What a machine's token has to be for, to register clients. */
const needOf = (ctx: Context): TokenNeed => ({
  api: ownApiOf(stateOf(ctx).brand),
  scopes: [CLIENTS_SCOPE],
});

/**
 * Finds who asks: the machine of a bearer token, else the developer of the session. Where there is a token, the session
 * does not count: a request with a token needs no `Origin`.
 */
export const createRequesterFinder =
  ({ machines, developersNeed: need, developers, requireCurrent }: RequesterOptions) =>
  /** @throws AppError not_signed_in, not_a_developer, second_factor_required */
  async (ctx: Context): Promise<Developer> => {
    const token = bearerOf(ctx);
    if (token === undefined) {
      const { accountId, acr } = await requireCurrent(ctx).catch((error: unknown) => {
        challenge(ctx, needOf(ctx));
        throw error;
      });
      if (!(await developers.isDeveloper(accountId))) throw new AppError('not_a_developer');
      if (need && !isAtLeast(acr, need)) throw new AppError('second_factor_required');
      return { kind: 'account', id: accountId };
    }
    return requireMachine(ctx, token, { machines, need: needOf(ctx) }).catch((error: unknown) => {
      const isNarrow = error instanceof AppError && error.code === 'scope_insufficient';
      throw isNarrow ? new AppError('not_a_developer') : error;
    });
  };
