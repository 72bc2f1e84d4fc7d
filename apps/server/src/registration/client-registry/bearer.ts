import type { Context } from 'koa';
import { AppError } from '../../ground/errors.ts';
import { stateOf } from '../../http/request-state.ts';
import type { Machine, MachineAccess, TokenNeed, TokenRefusal } from './machine-access.ts';

/** The bearer token of a request (RFC 6750 section 2.1); undefined where it has no Authorization header. */
export const bearerOf = (ctx: Context): string | undefined => {
  const header = ctx.get('authorization');
  if (header === '') return undefined;
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(header)?.[1] ?? '';
};

/** Says how a machine proves itself; where it came with nothing, without an error (RFC 6750 section 3). */
export const challenge = (ctx: Context, { scopes }: TokenNeed, error?: TokenRefusal): void =>
  ctx.set(
    'WWW-Authenticate',
    [
      `Bearer realm="${stateOf(ctx).brand.origin}"`,
      ...(error ? [`error="${error}"`] : []),
      ...(error === 'insufficient_scope' ? [`scope="${scopes.join(' ')}"`] : []),
    ].join(', '),
  );

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
