import type { Context } from 'koa';
import * as z from 'zod/mini';
import { databaseNow } from '../db/clock.ts';
import { AppError } from '../errors.ts';
import { openWithAny, seal } from '../seal.ts';
import { endpoints, LOGOUT_CONFIRM, LOGOUT_SUCCESS } from './endpoints.ts';
import { faultOfParameters } from './parameter-bounds.ts';

/** The one parameter of a logout that was posted. */
const POSTED = 'posted';
/** As long as a browser may take to follow a redirect. */
const FOLLOWED_WITHIN_MS = 60_000;

const Posted = z.object({ form: z.string(), until: z.number() });

/**
 * What an app posted to the logout endpoint, sealed for the address of the GET that follows: an id_token is about a
 * person, and addresses are kept by browsers and proxies.
 */
export const sealLogout = (key: Buffer, form: string): string => {
  const sealed = seal(key, JSON.stringify({ form, until: databaseNow().getTime() + FOLLOWED_WITHIN_MS }));
  return `${POSTED}=${sealed}`;
};

const readPosted = (sealed: string, keys: readonly Buffer[]) => {
  try {
    const { form, until } = Posted.parse(JSON.parse(openWithAny(keys, sealed)));
    return until < databaseNow().getTime() ? undefined : form;
  } catch {
    // Sealed by nobody here.
    return undefined;
  }
};

/**
 * Makes the request that was posted of a GET that brings it sealed; any other stays as it is.
 * @throws AppError invalid_request for what was sealed by nobody here or too long ago, and for parameters that are too long.
 */
export const openLogout = (ctx: Context, keys: readonly Buffer[]): void => {
  if (ctx.path !== endpoints.end_session) return;
  const sealed = ctx.query[POSTED];
  if (sealed !== undefined) {
    const form = readPosted(String(sealed), keys);
    if (form === undefined) throw new AppError('invalid_request');
    ctx.querystring = form;
  }
  if (faultOfParameters(ctx.query)) throw new AppError('invalid_request');
};

/**
 * Leads who is signed in nowhere to where the logout was to end, which the engine has checked by then: there is
 * nothing to ask and no session to end, and none is made for it (RP-Initiated Logout section 3).
 */
export const leadSignedOut = (ctx: Context): void => {
  if (ctx.path !== endpoints.end_session || ctx.status !== 200 || ctx.oidc?.session?.accountId) return;
  const { post_logout_redirect_uri: uri, state } = ctx.oidc?.params ?? {};
  const back = URL.parse(String(uri ?? ''));
  if (back && state !== undefined) back.searchParams.set('state', String(state));
  ctx.remove('Content-Security-Policy');
  ctx.redirect(back?.href ?? LOGOUT_SUCCESS);
  ctx.status = 303;
};

/** What a browser holds of an account goes with its session. */
export const clearSiteData = (ctx: Context): void => {
  if (ctx.path === LOGOUT_CONFIRM && ctx.status === 303) ctx.set('Clear-Site-Data', '"cache", "storage"');
};
