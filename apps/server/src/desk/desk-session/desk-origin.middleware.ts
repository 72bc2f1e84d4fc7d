import { HOME_PAGE } from '@candela/contract/pages';
import { PORTAL_CLIENT_ID } from '@candela/contract/rules/portal-client';
import type { Context, Middleware } from 'koa';
import { AppError } from '../../ground/errors.ts';
import { stateOf } from '../../http/request-state.ts';
import { seeOther } from '../../http/see-other.ts';

const DESK = /^\/(?:desk|api\/desk)(?:\/|$)/;

/** The steps of a sign-in. Nobody registers at the desk, and no app is approved there. */
const STEPS =
  'details|verify|accounts/[\\w-]+|login|passkey|passkey/options|second-factor|continue|switch-account|abort';

/** What the desk's own origin has besides: the sign-in of staff, their proofs, and what every page loads. */
const BESIDE = new RegExp(
  `^/(?:sign-in|middle|login|error|interaction/[\\w-]+(?:/(?:${STEPS}))?|oauth/authorize/[\\w-]+|api/(?:account|step-up|step-up/options|codes|sign-out)|prod/user/.*|healthz|readyz|version)$`,
);

/** Staff sign in by the portal's own client; no app gets anything from this origin. */
const isOwnRequest = ({ path, query }: Context): boolean =>
  path === '/oauth/authorize' && query.client_id === PORTAL_CLIENT_ID;

/** The path as a router may read it: in any case, and with a slash at its end. */
const readPath = ({ path }: Context): string => path.toLowerCase().replace(/(?<=.)\/$/, '');

/**
 * Where the desk has an origin of its own, it is there alone, and nothing else is there.
 * @param origin DESK_ORIGIN; undefined: the desk is at every brand
 */
export const createDeskOrigin =
  (origin: string | undefined): Middleware =>
  async (ctx, next) => {
    const { brand } = stateOf(ctx);
    const path = readPath(ctx);
    const isDesk = DESK.test(path);
    if (isDesk && origin !== undefined && brand?.origin !== origin) throw new AppError('not_found');
    if (!brand?.forStaff) return next();
    if (path === '/' || path === HOME_PAGE) return seeOther(ctx, '/desk');
    if (!isDesk && !BESIDE.test(path) && !isOwnRequest(ctx)) throw new AppError('not_found');
    return next();
  };
