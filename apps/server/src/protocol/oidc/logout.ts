import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import type { KoaContextWithOIDC } from 'oidc-provider';
import * as z from 'zod/mini';
import { databaseNow } from '../../ground/db/clock.ts';
import { AppError } from '../../ground/errors.ts';
import { openWithAny, seal } from '../../ground/seal.ts';
import { endpoints, LOGOUT_CONFIRM, LOGOUT_SUCCESS } from './endpoints.ts';
import { faultOfParameters } from './request/parameter-bounds.ts';
import { LOGOUT_FORM, setFormToken } from './seam/engine-forms.ts';

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

/** The faults of requests that are served as if they asked to sign out and nothing else. */
const faults = new WeakMap<Context, string>();

/** What was wrong with the request before the engine saw it, in the server's own words; undefined where nothing was. */
export const faultOfLogout = (ctx: Context): string | undefined => faults.get(ctx);

/**
 * Replaces a GET that brings a posted request sealed by the request that was posted; any other request stays as it is.
 * Where the seal is foreign or too old, or the request is too long, only the wish to sign out is kept.
 * @returns what was wrong, as `faultOfLogout`.
 */
export const openLogout = (ctx: Context, keys: readonly Buffer[]): string | undefined => {
  if (ctx.path !== endpoints.end_session) return undefined;
  const sealed = ctx.query[POSTED];
  const form = sealed === undefined ? ctx.querystring : readPosted(String(sealed), keys);
  if (form !== undefined) ctx.querystring = form;
  const fault = form === undefined ? 'the posted request is over' : faultOfParameters(ctx.query);
  if (fault === undefined) return undefined;
  faults.set(ctx, fault);
  ctx.querystring = '';
  return fault;
};

/**
 * A form like the engine's, for a request that the engine refused: it confirms the wish to sign out, and no other site
 * can send it. Undefined where nobody is signed in. The engine saves the session once the answer is made.
 */
export const createLogoutForm = ({ oidc }: KoaContextWithOIDC): string | undefined => {
  const { session } = oidc ?? {};
  if (!session?.accountId) return undefined;
  const secret = randomBytes(24).toString('hex');
  setFormToken(session, secret);
  return `<form id="${LOGOUT_FORM}" method="post" action="${LOGOUT_CONFIRM}"><input type="hidden" name="xsrf" value="${secret}"/></form>`;
};

/**
 * Leads whoever is not signed in to where the logout was to end, which the engine has checked: there is no session to
 * end, and none is made for the question (RP-Initiated Logout section 3).
 * @throws AppError invalid_request where something was wrong before the engine saw it.
 */
export const leadSignedOut = (ctx: Context): void => {
  if (ctx.path !== endpoints.end_session || ctx.status !== 200 || ctx.oidc?.session?.accountId) return;
  if (faultOfLogout(ctx) !== undefined) throw new AppError('invalid_request');
  const { post_logout_redirect_uri: uri, state } = ctx.oidc?.params ?? {};
  const back = URL.parse(String(uri ?? ''));
  if (back && state !== undefined) back.searchParams.set('state', String(state));
  ctx.remove('Content-Security-Policy');
  ctx.redirect(back?.href ?? LOGOUT_SUCCESS);
  ctx.status = 303;
};

/** Clears what the browser holds of an account when its session ends. */
export const clearSiteData = (ctx: Context): void => {
  if (ctx.path === LOGOUT_CONFIRM && ctx.status === 303) ctx.set('Clear-Site-Data', '"cache", "storage"');
};
