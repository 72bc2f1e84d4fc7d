import type { Context } from 'koa';
import { endpointTemplateOf } from '../../protocol/oidc/endpoints.ts';
import { ASSET_PATH } from '../../protocol/page/assets.ts';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The method; `other` for those that no route has. */
export const methodOf = ({ method }: Context): string => (METHODS.has(method) ? method : 'other');

/**
 * The template of the path, such as `/api/sessions/:id`: a path itself would make a series for each id. `other` for
 * paths that are served to nobody. Known once the request is answered.
 */
export const routeOf = (ctx: Context): string => {
  const { _matchedRoute: matched } = ctx as { _matchedRoute?: unknown };
  if (typeof matched === 'string') return matched;
  if (ctx.path.startsWith(ASSET_PATH)) return `${ASSET_PATH}*`;
  return endpointTemplateOf(ctx.path) ?? 'other';
};
