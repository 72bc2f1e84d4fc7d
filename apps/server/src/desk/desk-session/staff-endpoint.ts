import {
  type Endpoint,
  type EndpointBody,
  type EndpointParams,
  type EndpointQuery,
  type EndpointResponse,
  mayAs,
} from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { AppError } from '../../ground/errors.ts';
import { mount } from '../../http/mount.ts';
import { stateOf } from '../../http/request-state.ts';
import { refuseOtherSites } from '../../http/same-origin.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { ProvenSession } from '../../person/step-up/proof.ts';
import type { DeskSessionService, StaffAtWork } from './desk-session.service.ts';

export interface StaffGuardOptions {
  deskSessions: DeskSessionService;
  findCurrent(ctx: Context): Promise<CurrentSession | undefined>;
  /** @throws AppError not_signed_in, step_up_required */
  requireProven(ctx: Context): Promise<ProvenSession>;
}

interface StaffInput<E> {
  params: EndpointParams<E>;
  query: EndpointQuery<E>;
  body: EndpointBody<E>;
  member: StaffAtWork;
}

interface StaffMountOptions {
  /** The desk need not be open. */
  closed?: boolean;
  /** The person proves anew to be there. */
  fresh?: boolean;
}

/** Mounts an endpoint of the desk, for whoever has at least its role. */
export type MountForStaff = <E extends Endpoint>(
  router: Router,
  endpoint: E,
  handler: (
    ctx: Context,
    input: StaffInput<E>,
  ) => Promise<EndpointResponse<E, 'input'> extends undefined ? void : EndpointResponse<E, 'input'>>,
  options?: StaffMountOptions,
) => void;

/**
 * The guard of all endpoints of the desk. Without staff there is no desk, and who is no staff finds none: both are 404.
 * The body of a request is read after all of it.
 */
export const createStaffMount = (options: StaffGuardOptions): MountForStaff => {
  const { deskSessions, findCurrent, requireProven } = options;
  const members = new WeakMap<Context, StaffAtWork>();

  /** @throws AppError not_found, not_signed_in, role_insufficient, desk_closed, step_up_required */
  const requireStaff = async (
    ctx: Context,
    { role = 'operator' }: Endpoint,
    { closed = false, fresh = false }: StaffMountOptions,
  ): Promise<StaffAtWork> => {
    const current = await findCurrent(ctx);
    if (!current) throw new AppError((await deskSessions.isThere()) ? 'not_signed_in' : 'not_found');
    const member = await deskSessions.find(current, stateOf(ctx).address);
    if (!member) throw new AppError('not_found');
    if (!mayAs(member.role, role)) throw new AppError('role_insufficient');
    if (!closed && !member.open) throw new AppError('desk_closed');
    if (fresh) deskSessions.requireStrong((await requireProven(ctx)).proofs);
    return member;
  };

  return (router, endpoint, handler, chosen = {}) => {
    mount<Endpoint>(
      router,
      endpoint,
      (async (ctx: Context, input: object) => {
        const member = members.get(ctx);
        if (!member) throw new AppError('not_found');
        return handler(ctx, { ...input, member } as StaffInput<typeof endpoint>);
      }) as never,
      {
        before: async (ctx) => {
          // A page elsewhere could load this unseen, and so look in the name of whoever has it open.
          await refuseOtherSites(ctx);
          members.set(ctx, await requireStaff(ctx, endpoint, chosen));
        },
      },
    );
  };
};
