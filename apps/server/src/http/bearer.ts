import type { Context } from 'koa';
import { stateOf } from './request-state.ts';

/**
 * The bearer token of a request (RFC 6750 section 2.1); undefined where it has no Authorization header, blank where that
 * has no such token.
 */
export const bearerOf = (ctx: Context): string | undefined => {
  const header = ctx.get('authorization');
  if (header === '') return undefined;
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(header)?.[1] ?? '';
};

/**
 * Says how a caller proves itself; where it came with nothing, without an error (RFC 6750 section 3).
 * @param scope what the API needs, for a token that lacks it
 */
export const challengeBearer = (
  ctx: Context,
  { error, scope }: { error?: 'invalid_token' | 'insufficient_scope'; scope: string },
): void =>
  ctx.set(
    'WWW-Authenticate',
    [
      `Bearer realm="${stateOf(ctx).brand.origin}"`,
      ...(error ? [`error="${error}"`] : []),
      ...(error === 'insufficient_scope' ? [`scope="${scope}"`] : []),
    ].join(', '),
  );
