import type { DeskFound } from '@candela/contract';
import { call } from '../../shell/api/client.ts';
import type { Problem } from '../../shell/forms/form-errors.ts';
import { createStore } from '../../shell/store.ts';
import { read } from '../queries.ts';
import { appPageOf } from './app-page-of.ts';

/** What was looked for last, and what came of it. It stays in memory: an address of a page would keep an identifier. */
export interface Lookup {
  /** As typed. */
  text: string;
  /** Absent: it was refused. */
  found?: readonly DeskFound[];
  problem?: Problem;
}

export const lookup = createStore<Lookup | undefined>(undefined);

/** Where a thing that was found has its page; undefined where it has none, and the list of what was found says all. */
export const pageOf = ({ kind, id }: DeskFound): string | undefined => {
  if (kind === 'client') return appPageOf(id);
  return kind === 'account' ? `/desk/accounts/${encodeURIComponent(id)}` : undefined;
};

/**
 * Looks for what somebody said on the phone.
 * @returns the page of the one thing that it names; undefined where it names none or several
 * @throws {ApiError}
 */
export const look = async (text: string): Promise<string | undefined> => {
  const { items } = await read(call('GET /api/desk/search', { query: { q: text } }));
  lookup.set({ text, found: items });
  const [only] = items;
  return only && items.length === 1 ? pageOf(only) : undefined;
};
