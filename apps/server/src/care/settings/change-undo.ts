import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { databaseTime } from '../../ground/db/sql-time.ts';
import { AppError } from '../../ground/errors.ts';
import {
  type AccountRecord,
  findAccountByIdentifier,
  insertIdentifier,
  lockIdentifierValues,
  updateAccountTime,
  updateIdentifierTimes,
} from '../../person/account/account.repository.ts';
import type { AccountIdentifierRow } from '../../person/account/account.table.ts';
import { boundSince } from '../../person/account/bound-since.ts';
import { contactDetail } from '../../person/activity/contact-detail.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import type { Delivery } from '../../person/delivery/message-queue.ts';
import { addNotices } from '../../person/delivery/notices.ts';
import {
  deleteYoungerLosses,
  identifierChangeRows,
} from '../../person/identifier-change/identifier-change.repository.ts';
import type { IdentifierChangeRow } from '../../person/identifier-change/identifier-change.table.ts';
import { stopWaits } from '../../person/recovery-wait/ended-waits.ts';
import { identifierChanged } from '../../person/signal/told.ts';
import type { TakingBack, TakingBackOptions } from './addition-undo.ts';
import { loseIdentifier, timesBefore } from './identifier-loss.ts';

/**
 * Binds the identifier again as it was bound, in place of what replaced it; answers what is no longer bound.
 * @throws AppError not_found where an older identifier is bound by now; identifier_taken
 */
const restore = async (
  trx: Kysely<Database>,
  { account, identifiers }: AccountRecord,
  change: IdentifierChangeRow,
  at: Date,
): Promise<AccountIdentifierRow | undefined> => {
  const { kind, value, display, bound_at } = change;
  const row = { kind, value, display, account_id: account.id, ...timesBefore(change, at) };
  const occupant = identifiers.find((one) => one.kind === kind);
  if (occupant?.value === value) {
    await updateIdentifierTimes(trx, row);
    return undefined;
  }
  // An older identifier came back in a better way than by this link.
  if (occupant && boundSince(occupant) < bound_at) throw new AppError('not_found');
  if (await findAccountByIdentifier(trx, row)) throw new AppError('identifier_taken');
  if (occupant) await loseIdentifier(trx, occupant);
  if (!(await insertIdentifier(trx, row))) throw new AppError('identifier_taken');
  return occupant;
};

/**
 * Undoes a change in a transaction that has locked the account; sessions and the password are the caller's.
 * @throws AppError not_found once the link is used or over; identifier_taken where another account has it now
 */
export const undoChange = async (
  trx: Kysely<Database>,
  options: TakingBackOptions,
  record: AccountRecord,
  { undoHash, at, brand, facts }: TakingBack & { undoHash: string },
): Promise<{ change: IdentifierChangeRow; notices: Delivery[] }> => {
  const { account, identifiers } = record;
  const change = await identifierChangeRows.take(trx, { undo_hash: undoHash }, databaseTime);
  if (!change) throw new AppError('not_found');
  const { kind, value, bound_at } = change;
  const ofKind = identifiers.filter((one) => one.kind === kind && one.value !== value);
  await lockIdentifierValues(trx, [value, ...ofKind.map((one) => one.value)]);
  const replaced = change.done_at === null ? undefined : await restore(trx, record, change, at);
  await identifierChangeRows.endOf(trx, account.id, { done_at: null });
  await deleteYoungerLosses(trx, account.id, bound_at);
  await updateAccountTime(trx, account.id, at);
  const stopped = await stopWaits(trx, options, account.id, {
    brand,
    mayStop: (contact) => bound_at <= boundSince(contact),
  });
  const others = identifiers.filter((one) => one.value !== value);
  const notices = await addNotices(trx, options.messages, [change, ...others], {
    notice: `${kind}_kept`,
    contact: change,
    ...(replaced && { removed: replaced.value }),
    at,
    locale: account.locale,
    brand,
  });
  await noteActivity(trx, {
    accountId: account.id,
    kind: 'identifier_change_undone',
    brand: brand.id,
    facts,
    detail: contactDetail(change),
    tells: change.done_at === null ? [] : [identifierChanged(change)],
  });
  return { change, notices: [stopped, ...notices] };
};
