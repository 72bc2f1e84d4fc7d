import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { IdentifierKind } from '../../ground/identifier/identifier.ts';
import { type AccountRecord, updateAccountTime } from '../../person/account/account.repository.ts';
import { contactDetail } from '../../person/activity/contact-detail.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import { findPassword } from '../../person/credential/password.repository.ts';
import { addNotices } from '../../person/delivery/notices.ts';
import { identifierChanged } from '../../person/signal/told.ts';
import { readHoldings } from '../../person/step-up/holdings.ts';
import { opensChange } from '../../person/step-up/seniority.ts';
import { countChange } from './change-limits.ts';
import {
  type AskedChange,
  type ChangeOutcome,
  type ChangeStepOptions,
  findOfKind,
  letWait,
  linkFor,
  nothingChanged,
} from './identifier-change-step.ts';
import { loseIdentifier, needsProofOf, noteChange } from './identifier-loss.ts';

/**
 * Unbinds the identifier of a kind, or lets that wait, in a transaction that has locked the account and the session.
 * @throws AppError last_identifier, step_up_required with the kind among the fields, rate_limited
 */
export const removeIdentifier = async (
  trx: Kysely<Database>,
  options: ChangeStepOptions,
  record: AccountRecord,
  { kind, current, wait, brand }: AskedChange & { kind: IdentifierKind },
): Promise<ChangeOutcome> => {
  const { messages, events, now } = options;
  const { account, identifiers } = record;
  const at = now();
  const old = findOfKind(record, kind);
  if (!old) return nothingChanged;
  if (identifiers.length === 1) throw new AppError('last_identifier');
  const { proofs, uid } = current;
  const holdings = await readHoldings(trx, account.id, at);
  const opened = opensChange(proofs, old, { ...holdings, password: await findPassword(trx, account.id) });
  if (!opened) {
    if (!wait) throw needsProofOf(old);
    return letWait(trx, options, record, { old, current, brand });
  }
  await countChange(trx, account.id, { now: at, events });
  await loseIdentifier(trx, old);
  if (proofs.includes(old.value))
    await noteChange(trx, { old, waits: false, brand: brand.id, givenUpIn: uid });
  const undo = await linkFor(trx, opened, { old, brand: brand.id, sessionUid: uid });
  await updateAccountTime(trx, account.id, at);
  await noteActivity(trx, {
    accountId: account.id,
    kind: 'identifier_removed',
    session: current,
    detail: contactDetail(old),
    tells: [identifierChanged({ kind })],
  });
  const notices = await addNotices(trx, messages, identifiers, {
    notice: `${kind}_unbound`,
    contact: old,
    ...(undo && { undo }),
    at,
    locale: account.locale,
    brand,
  });
  return { notices, happened: ['identifier.removed'] };
};
