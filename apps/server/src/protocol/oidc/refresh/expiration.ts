import type { Context } from 'koa';
import { policyOf } from '../client/client-policy.ts';
import { engineNowSeconds } from '../seam/engine-time.ts';
import { endIn } from '../storage/columns.ts';
import type { UnitOfWork } from '../storage/unit.ts';
import { refreshPolicyOf } from './policy.ts';
import { presentedIn } from './presented.ts';

/** Members that tell when a refresh token ends, in seconds (draft-ietf-oauth-refresh-token-expiration-03 section 6.1). */
interface Expiration {
  /** For how long the refresh token may be held without being used. Every one has an end. */
  refresh_token_timeout: number;
  /** For how long the authorization lasts, however often it is used; absent: as long as it is used. */
  authorization_expires_in?: number;
}

interface Answer {
  active?: boolean;
  refresh_token?: string;
}

const secondsUntil = (end: number, now: number): number => Math.max(0, end - now);

/** @param idleSeconds for how long the token lasts by itself */
const expirationOf = ({ oidc }: Context, idleSeconds: number): Expiration => {
  const { familyEnd } = refreshPolicyOf(oidc?.client, oidc?.entities.RefreshToken ?? {});
  if (familyEnd === undefined) return { refresh_token_timeout: idleSeconds };
  const left = secondsUntil(familyEnd, engineNowSeconds());
  return { refresh_token_timeout: Math.min(idleSeconds, left), authorization_expires_in: left };
};

/** Tells with a refresh token when it ends. The successor that is answered once more has an end of its own. */
export const tellExpiration = (ctx: Context, unit: UnitOfWork): void => {
  const body = ctx.body as Answer | undefined;
  if (ctx.status !== 200 || !body?.refresh_token) return;
  const repeated = presentedIn(unit)?.successor;
  const idleSeconds = repeated
    ? secondsUntil(repeated.endsAt, endIn(0))
    : policyOf(ctx.oidc?.client).refreshSeconds;
  ctx.body = { ...body, ...expirationOf(ctx, idleSeconds) };
};

/** Tells the same to an app that introspects a refresh token of its own (section 7). */
export const tellIntrospected = (ctx: Context): void => {
  const body = ctx.body as Answer | undefined;
  const token = ctx.oidc?.entities.RefreshToken;
  if (!body?.active || token?.exp === undefined || token.clientId !== ctx.oidc?.client?.clientId) return;
  ctx.body = { ...body, ...expirationOf(ctx, secondsUntil(token.exp, engineNowSeconds())) };
};
