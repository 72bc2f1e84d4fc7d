import { HOME_PAGE } from '@candela/contract/pages';
import { PORTAL_CLIENT_ID } from '@candela/contract/rules/portal-client';
import type { Context, Middleware } from 'koa';
import { AppError } from '../../ground/errors.ts';
import { stateOf } from '../../http/request-state.ts';
import { seeOther } from '../../http/see-other.ts';

const DESK = /^\/(?:desk|api\/desk)(?:\/|$)/;

/** What the desk's own origin has besides: the sign-in of staff, their proofs, and what every page loads. */
const BESIDE =
  /^\/(?:sign-in|middle|login|error|interaction\/[\w-]+(?:\/(?!register$).*)?|oauth\/authorize\/[\w-]+|api\/(?:account|step-up|step-up\/options|codes|sign-out)|prod\/user\/.*|healthz|readyz|version)$/;

/** Staff sign in by the portal's own client; no app gets anything from this origin. */
const isOwnRequest = ({ path, query }: Context): boolean =>
  path === '/oauth/authorize' && query.client_id === PORTAL_CLIENT_ID;

/**
 * Where the desk has an origin of its own, it is there alone, and nothing else is there.
 * @param origin DESK_ORIGIN; undefined: the desk is at every brand
 */
export const createDeskOrigin =
  (origin: string | undefined): Middleware =>
  async (ctx, next) => {
    const { brand } = stateOf(ctx);
    const isDesk = DESK.test(ctx.path);
    if (isDesk && origin !== undefined && brand?.origin !== origin) throw new AppError('not_found');
    if (!brand?.forStaff) return next();
    if (ctx.path === '/' || ctx.path === HOME_PAGE) return seeOther(ctx, '/desk');
    if (!isDesk && !BESIDE.test(ctx.path) && !isOwnRequest(ctx)) throw new AppError('not_found');
    return next();
  };
