import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventName } from '../../ground/event/event-names.ts';
import type { EventSink } from '../../ground/event/events.ts';
import type { Identifier, IdentifierKind } from '../../ground/identifier/identifier.ts';
import type { AccountRecord } from '../../person/account/account.repository.ts';
import type { AccountIdentifierRow } from '../../person/account/account.table.ts';
import { contactDetail } from '../../person/activity/contact-detail.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import type { MessageBrand } from '../../person/delivery/code-message.ts';
import type { Delivery, MessageQueue } from '../../person/delivery/message-queue.ts';
import { addNotices } from '../../person/delivery/notices.ts';
import {
  identifierChangeRows,
  listWaitingChanges,
} from '../../person/identifier-change/identifier-change.repository.ts';
import type { ProvenSession } from '../../person/step-up/proof.ts';
import type { opensChange } from '../../person/step-up/seniority.ts';
import { countChange } from './change-limits.ts';
import { noteChange, type UndoLink } from './identifier-loss.ts';

export interface ChangeStepOptions {
  messages: Pick<MessageQueue, 'add'>;
  events: EventSink;
  now: () => Date;
}

/** A change that a session asks for. */
export interface AskedChange {
  current: ProvenSession;
  /** Whether the change may wait for 72 hours, where the proofs of the session do not open it at once. */
  wait: boolean;
  brand: MessageBrand & { id: string };
}

/** What became of a change. Notices start and events are emitted after the commit. */
export interface ChangeOutcome {
  notices: Delivery[];
  happened: readonly EventName[];
}

export const nothingChanged: ChangeOutcome = { notices: [], happened: [] };

/** What opened a change at once. */
export type Opening = NonNullable<ReturnType<typeof opensChange>>;

export const findOfKind = (
  { identifiers }: AccountRecord,
  kind: IdentifierKind,
): AccountIdentifierRow | undefined => identifiers.find((row) => row.kind === kind);

export const isTaken = (kind: IdentifierKind): AppError =>
  new AppError('identifier_taken', { fields: { [kind]: 'identifier_taken' } });

/**
 * Lets a change wait for 72 hours, and adds the notices for all contacts. A change that waits already goes on waiting.
 * @throws AppError rate_limited
 */
export const letWait = async (
  trx: Kysely<Database>,
  { messages, events, now }: ChangeStepOptions,
  { account, identifiers }: AccountRecord,
  {
    old,
    next,
    current,
    brand,
  }: { old: AccountIdentifierRow; next?: Identifier } & Pick<AskedChange, 'current' | 'brand'>,
): Promise<ChangeOutcome> => {
  const { kind } = old;
  const waiting = (await listWaitingChanges(trx, account.id)).find((change) => change.kind === kind);
  if (waiting && waiting.new_value === (next?.value ?? null))
    return { notices: [], happened: ['identifier.change_waits'] };
  await countChange(trx, account.id, { now: now(), events });
  await identifierChangeRows.endOf(trx, account.id, { kind, done_at: null });
  const undo = await noteChange(trx, {
    old,
    next,
    waits: true,
    brand: brand.id,
    sessionUid: current.uid,
  });
  await noteActivity(trx, {
    accountId: account.id,
    kind: 'identifier_change_waits',
    session: current,
    detail: contactDetail(next ?? old),
  });
  const notices = await addNotices(trx, messages, identifiers, {
    notice: next ? `${kind}_change_waits` : `${kind}_unbind_waits`,
    contact: next ?? old,
    undo,
    at: now(),
    locale: account.locale,
    brand,
  });
  return { notices, happened: ['identifier.change_waits'] };
};

/** The link that undoes a change; undefined where the change was opened by a code to an identifier of that age. */
export const linkFor = async (
  trx: Kysely<Database>,
  opened: Opening,
  change: Omit<Parameters<typeof noteChange>[1], 'waits'>,
): Promise<UndoLink | undefined> =>
  opened === 'code' ? undefined : noteChange(trx, { ...change, waits: false });
