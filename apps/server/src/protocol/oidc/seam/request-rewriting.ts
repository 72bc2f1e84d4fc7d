import type { Context } from 'koa';
import type { KoaContextWithOIDC } from 'oidc-provider';

/** Has the engine serve a request as if it had asked for `path`; afterwards the request asks again for its own. */
export const serveAs = async (ctx: Context, path: string, next: () => Promise<unknown>): Promise<void> => {
  const asked = ctx.url;
  ctx.url = path;
  try {
    await next();
  } finally {
    ctx.url = asked;
  }
};

/**
 * Gives a request another `scope`, or none. The engine reads it again for the token that it issues, and for what it
 * asks a person to approve.
 */
export const setScope = ({ params }: KoaContextWithOIDC['oidc'], scope: string | undefined): void => {
  if (params) params.scope = scope;
};

/**
 * Gives an authorization request another `claims`. The engine has checked its form by then, and reads it again for what it
 * asks a person to approve and for what it answers.
 */
export const setClaims = ({ params }: KoaContextWithOIDC['oidc'], claims: string): void => {
  if (params) params.claims = claims;
};

/** Gives a token request another `redirect_uri`, which the engine compares with that of the code. */
export const setRedirectUri = ({ params }: KoaContextWithOIDC['oidc'], uri: string): void => {
  if (params) params.redirect_uri = uri;
};
