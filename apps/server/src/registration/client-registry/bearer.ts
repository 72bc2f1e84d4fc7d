import type { Context } from 'koa';
import type { TokenRefusal } from '../../clients/resource-server/own-api.ts';
import { AppError } from '../../ground/errors.ts';
import { challengeBearer } from '../../http/bearer.ts';
import { stateOf } from '../../http/request-state.ts';
import type { Machine, MachineAccess, TokenNeed } from './machine-access.ts';

/** Says how a machine proves itself; where it came with nothing, without an error (RFC 6750 section 3). */
export const challenge = (ctx: Context, { scopes }: TokenNeed, error?: TokenRefusal): void =>
  challengeBearer(ctx, { ...(error && { error }), scope: scopes.join(' ') });

/**
 * Finds the machine of a bearer token.
 * @throws AppError not_signed_in, scope_insufficient
 */
export const requireMachine = async (
  ctx: Context,
  token: string,
  { machines, need }: { machines: MachineAccess; need: TokenNeed },
): Promise<Machine> => {
  const machine = await machines.judge(token, stateOf(ctx).brand.id, need);
  if (typeof machine !== 'string') return machine;
  challenge(ctx, need, machine);
  throw new AppError(machine === 'invalid_token' ? 'not_signed_in' : 'scope_insufficient');
};
