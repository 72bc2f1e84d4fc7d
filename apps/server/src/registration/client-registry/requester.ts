import { isAtLeast } from '@candela/contract/rules/authentication-classes';
import type { Context } from 'koa';
import type { Developer } from '../../clients/client/actor.ts';
import { CLIENTS_SCOPE } from '../../clients/resource-server/clients-api.ts';
import { AppError } from '../../ground/errors.ts';
import { stateOf } from '../../http/request-state.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { MachineAccess, TokenRefusal } from './machine-access.ts';

export interface RequesterOptions {
  machines: MachineAccess;
  developers: { isDeveloper(accountId: string): Promise<boolean> };
  requireCurrent(ctx: Context): Promise<CurrentSession>;
}

/** The bearer token of a request (RFC 6750 section 2.1); undefined where it has no Authorization header. */
const bearerOf = (ctx: Context): string | undefined => {
  const header = ctx.get('authorization');
  if (header === '') return undefined;
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(header)?.[1] ?? '';
};

/** Says how a machine proves itself; where it came with nothing, without an error (RFC 6750 section 3). */
const challenge = (ctx: Context, error?: TokenRefusal): void =>
  ctx.set(
    'WWW-Authenticate',
    [
      `Bearer realm="${stateOf(ctx).brand.origin}"`,
      ...(error ? [`error="${error}"`] : []),
      ...(error === 'insufficient_scope' ? [`scope="${CLIENTS_SCOPE}"`] : []),
    ].join(', '),
  );

const refuseToken = (ctx: Context, error: TokenRefusal): AppError => {
  challenge(ctx, error);
  return new AppError(error === 'invalid_token' ? 'not_signed_in' : 'not_a_developer');
};

/**
 * Finds who asks: the machine of a bearer token, else the developer of the session. Where there is a token, the session
 * does not count: a request with a token needs no `Origin`.
 */
export const createRequesterFinder =
  ({ machines, developers, requireCurrent }: RequesterOptions) =>
  /** @throws AppError not_signed_in, not_a_developer, second_factor_required */
  async (ctx: Context): Promise<Developer> => {
    const token = bearerOf(ctx);
    if (token === undefined) {
      const { accountId, acr } = await requireCurrent(ctx).catch((error: unknown) => {
        challenge(ctx);
        throw error;
      });
      if (!(await developers.isDeveloper(accountId))) throw new AppError('not_a_developer');
      const { developersNeed } = stateOf(ctx).brand;
      if (developersNeed && !isAtLeast(acr, developersNeed)) throw new AppError('second_factor_required');
      return { kind: 'account', id: accountId };
    }
    const machine = await machines.judge(token, stateOf(ctx).brand);
    if (typeof machine === 'string') throw refuseToken(ctx, machine);
    return machine;
  };
