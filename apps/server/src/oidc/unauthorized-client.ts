import type { Context } from 'koa';

const TOKEN_PATH = '/oauth/token';

/** RFC 6749 section 5.2: a client that may not use a grant type is told so; the engine says `invalid_request`. */
export const answerUnauthorizedClient = (ctx: Context): void => {
  const body = ctx.body as { error?: string } | undefined;
  if (ctx.path !== TOKEN_PATH || body?.error !== 'invalid_request') return;
  const { client, params } = ctx.oidc ?? {};
  const grantType = params?.grant_type;
  if (!client || typeof grantType !== 'string' || client.grantTypeAllowed(grantType)) return;
  ctx.body = { error: 'unauthorized_client', error_description: 'the client may not use this grant type' };
};
