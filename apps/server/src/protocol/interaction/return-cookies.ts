import { randomBytes, randomInt } from 'node:crypto';
import { cookieNames } from '@candela/contract/rules/cookie-names';
import type { Context } from 'koa';
import { stateOf } from '../../http/request-state.ts';

const LIFETIME_MS = 3600 * 1000;
/**
 * Sign-ins that one browser may have under way. With `RETURN_TO_LENGTH` it bounds what these cookies add to
 * every request to 3 KB, so that no number of links opened makes a request too large to be read.
 */
const SLOTS = 8;
/** What a cookie holds of a path, in characters. */
export const RETURN_TO_LENGTH = 200;

interface Waiting {
  state: string;
  /** Greater than that of all that began before it in this browser. */
  turn: number;
  returnTo: string;
}

const write = ({ state, turn, returnTo }: Waiting) =>
  [state, turn, Buffer.from(returnTo).toString('base64url')].join('.');

const read = (value: string): Waiting => {
  const [state = '', turn = '', returnTo = ''] = value.split('.');
  return { state, turn: Number(turn), returnTo: Buffer.from(returnTo, 'base64url').toString() };
};

const nameOf = (ctx: Context, slot: number) => cookieNames(stateOf(ctx).brand.origin).signIn(slot);

// For the whole origin: `/sign-in` has to see what waits, and `/middle` to find it.
const attributes = { path: '/', signed: true, httpOnly: true, sameSite: 'lax' } as const;

const listSlots = (ctx: Context) =>
  Array.from({ length: SLOTS }, (_, slot) => {
    const value = ctx.cookies.get(nameOf(ctx, slot), { signed: true });
    return { slot, waiting: value === undefined ? undefined : read(value) };
  });

/** Remembers in the browser where its sign-in leads, and answers the `state` that stands for it. */
export const keepReturnTo = (ctx: Context, returnTo: string): string => {
  const slots = listSlots(ctx).toSorted((a, b) => (a.waiting?.turn ?? 0) - (b.waiting?.turn ?? 0));
  const [oldest] = slots;
  const turn = (slots.at(-1)?.waiting?.turn ?? 0) + 1;
  const free = slots.filter(({ waiting }) => !waiting);
  // Any free one: tabs that begin together know nothing of each other.
  const chosen = free.length > 0 ? free[randomInt(free.length)] : oldest;
  const state = randomBytes(16).toString('base64url');
  ctx.cookies.set(nameOf(ctx, chosen?.slot ?? 0), write({ state, turn, returnTo }), {
    ...attributes,
    maxAge: LIFETIME_MS,
  });
  return state;
};

/** Where the sign-in with this `state` leads, once; undefined when this browser began none. */
export const takeReturnTo = (ctx: Context, state: string): string | undefined => {
  const found = listSlots(ctx).find(({ waiting }) => waiting?.state === state);
  if (!found) return undefined;
  ctx.cookies.set(nameOf(ctx, found.slot), null, attributes);
  return found.waiting?.returnTo;
};
