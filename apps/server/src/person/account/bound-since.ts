import { ADDED_HOURS } from '../addition/addition.repository.ts';
import type { AccountIdentifierRow } from './account.table.ts';

export type Bound = Pick<AccountIdentifierRow, 'value' | 'verified_at'> &
  Partial<Pick<AccountIdentifierRow, 'bound_since'>>;

/** Since when an identifier counts as bound: one that took the place of another inherits its age. */
export const boundSince = ({ bound_since, verified_at }: Omit<Bound, 'value'>): Date =>
  bound_since ?? verified_at;

/** Since when at the latest a contact was bound that takes back what was added then: the oldest, or for 72 hours. */
export const settledSince = (contacts: readonly Bound[], added: Date): Date => {
  const oldest = Math.min(...contacts.map((one) => boundSince(one).getTime()));
  return new Date(Math.max(oldest, added.getTime() - ADDED_HOURS * 3_600_000));
};

/**
 * The contacts whose notice of an addition has the link that takes it back: the oldest, and those that were bound for as
 * long as such a link is good. Nobody binds a contact to take back what its owner adds.
 */
export const settledContacts = <Row extends Bound>(contacts: readonly Row[], at: Date): Row[] => {
  const settled = settledSince(contacts, at);
  return contacts.filter((one) => boundSince(one) <= settled);
};
