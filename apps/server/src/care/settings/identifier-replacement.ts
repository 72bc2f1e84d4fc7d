import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { Identifier, IdentifierKind } from '../../ground/identifier/identifier.ts';
import {
  type AccountRecord,
  findAccountByIdentifier,
  insertIdentifier,
  updateAccountTime,
  updateIdentifierDisplay,
} from '../../person/account/account.repository.ts';
import type { AccountIdentifierRow } from '../../person/account/account.table.ts';
import { boundSince } from '../../person/account/bound-since.ts';
import { contactDetail } from '../../person/activity/contact-detail.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import { noteAddition } from '../../person/addition/addition.repository.ts';
import { findPassword } from '../../person/credential/password.repository.ts';
import { addNotices } from '../../person/delivery/notices.ts';
import {
  deleteYoungerLosses,
  findGivenUp,
  findLoss,
} from '../../person/identifier-change/identifier-change.repository.ts';
import type { IdentifierChangeRow } from '../../person/identifier-change/identifier-change.table.ts';
import { identifierChanged } from '../../person/signal/told.ts';
import { readHoldings } from '../../person/step-up/holdings.ts';
import type { ProvenSession } from '../../person/step-up/proof.ts';
import { opensChange } from '../../person/step-up/seniority.ts';
import { countChange } from './change-limits.ts';
import {
  type AskedChange,
  type ChangeOutcome,
  type ChangeStepOptions,
  findOfKind,
  isTaken,
  letWait,
  linkFor,
  nothingChanged,
  type Opening,
} from './identifier-change-step.ts';
import { loseIdentifier, needsProofOf, timesBefore } from './identifier-loss.ts';

/** A proven identifier, and the bound identifier of its kind that it replaces, if there is one. */
interface Exchange {
  identifier: Identifier;
  old: AccountIdentifierRow | undefined;
  /** The change that took the proven identifier from this account a short while ago. */
  loss: IdentifierChangeRow | undefined;
}

/** The row of the new identifier. An identifier that the account lost a short while ago keeps its times. */
const rowOf = ({ identifier, loss }: Exchange, accountId: string, at: Date) => {
  const { kind, value, display } = identifier;
  const times = loss ? timesBefore(loss, at) : { verified_at: at, bound_since: null };
  return { kind, value, display, account_id: accountId, ...times };
};

/** What opens the change at once; undefined where nothing does. */
const findOpening = async (
  trx: Kysely<Database>,
  { account, identifiers }: AccountRecord,
  { exchange, current, at }: { exchange: Exchange; current: ProvenSession; at: Date },
): Promise<Opening | undefined> => {
  const { identifier, old, loss } = exchange;
  if (!old) return 'code';
  return opensChange([...current.proofs, identifier.value], old, {
    ...(await readHoldings(trx, account.id, at)),
    identifiers: loss ? [...identifiers, rowOf(exchange, account.id, at)] : identifiers,
    password: await findPassword(trx, account.id),
  });
};

/**
 * The age that a new identifier inherits: that of the identifier which it replaces by a code, or of the one that the
 * same session gave up before. Who came to the account after that age cannot take the new identifier either.
 */
const inheritedAge = async (
  trx: Kysely<Database>,
  { accountId, uid, proofs }: ProvenSession,
  { kind, old, opened }: { kind: IdentifierKind; old: AccountIdentifierRow | undefined; opened: Opening },
): Promise<Date | undefined> => {
  if (old) return opened === 'password' ? undefined : boundSince(old);
  return (await findGivenUp(trx, accountId, { kind, uid, proofs }))?.bound_at;
};

/** Takes the old identifier away and binds the new one; answers its row, and the link that undoes the change. */
const exchangeIdentifiers = async (
  trx: Kysely<Database>,
  exchange: Exchange,
  { current, brand, opened, at }: Pick<AskedChange, 'current' | 'brand'> & { opened: Opening; at: Date },
) => {
  const { identifier, old, loss } = exchange;
  const { kind } = identifier;
  const row = rowOf(exchange, current.accountId, at);
  if (old) await loseIdentifier(trx, old);
  if (loss) await deleteYoungerLosses(trx, current.accountId, loss.bound_at);
  const undo =
    old &&
    (await linkFor(trx, opened, {
      old,
      next: identifier,
      brand: brand.id,
      sessionUid: current.uid,
    }));
  const inherited = await inheritedAge(trx, current, { kind, old, opened });
  const isOlder = inherited !== undefined && inherited < boundSince(row);
  // Waits for another account that is binding the same identifier; one of the two finds it taken.
  if (!(await insertIdentifier(trx, { ...row, ...(isOlder && { bound_since: inherited }) })))
    throw isTaken(kind);
  // One that took the place of another goes by the link of that change; one that came back is no addition.
  if (!old && !loss && !isOlder)
    await noteAddition(trx, { account_id: current.accountId, kind, session_uid: current.uid, at });
  return { row, undo };
};

/**
 * Binds an identifier that was proven, in place of the bound one of its kind, or lets that wait, in a transaction
 * that has locked the account, the session and both identifiers.
 * @throws AppError identifier_taken, step_up_required with the kind among the fields, rate_limited
 */
export const replaceIdentifier = async (
  trx: Kysely<Database>,
  options: ChangeStepOptions,
  record: AccountRecord,
  { identifier, current, wait, brand }: AskedChange & { identifier: Identifier },
): Promise<ChangeOutcome> => {
  const { messages, events, now } = options;
  const { account, identifiers } = record;
  const { kind } = identifier;
  const at = now();
  const old = findOfKind(record, kind);
  if (old?.value === identifier.value) {
    // It keeps its age: a second proof must not make it look younger.
    await updateIdentifierDisplay(trx, identifier);
    await updateAccountTime(trx, account.id, at);
    return nothingChanged;
  }
  const exchange = { identifier, old, loss: await findLoss(trx, account.id, identifier) };
  const opened = await findOpening(trx, record, { exchange, current, at });
  if (old && !opened) {
    if (!wait) throw needsProofOf(old);
    if (await findAccountByIdentifier(trx, identifier)) throw isTaken(kind);
    return letWait(trx, options, record, { old, next: identifier, current, brand });
  }
  await countChange(trx, account.id, { now: at, events });
  const { row, undo } = await exchangeIdentifiers(trx, exchange, {
    current,
    brand,
    opened: opened ?? 'code',
    at,
  });
  await updateAccountTime(trx, account.id, at);
  const by = { accountId: account.id, session: current };
  // Of a replacement one event tells.
  if (old)
    await noteActivity(trx, { ...by, kind: 'identifier_removed', detail: contactDetail(old), tells: [] });
  const bound = { detail: contactDetail(row), tells: [identifierChanged(row)] };
  await noteActivity(trx, { ...by, kind: 'identifier_bound', ...bound });
  const notices = await addNotices(trx, messages, [row, ...identifiers], {
    notice: old ? `${kind}_changed` : `${kind}_bound`,
    contact: row,
    ...(undo && { undo }),
    at,
    locale: account.locale,
    brand,
  });
  return { notices, happened: old ? ['identifier.removed', 'identifier.bound'] : ['identifier.bound'] };
};
