import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import {
  type AccountRecord,
  findAccountByIdentifier,
  insertIdentifier,
  lockAccount,
  lockIdentifierValues,
  updateAccountTime,
} from '../../person/account/account.repository.ts';
import { contactDetail } from '../../person/activity/contact-detail.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import type { MessageBrand } from '../../person/delivery/code-message.ts';
import type { Delivery, MessageQueue } from '../../person/delivery/message-queue.ts';
import { addNotices } from '../../person/delivery/notices.ts';
import {
  deleteDueChange,
  listDueChanges,
} from '../../person/identifier-change/identifier-change.repository.ts';
import type { IdentifierChangeRow } from '../../person/identifier-change/identifier-change.table.ts';
import { identifierChanged } from '../../person/signal/told.ts';
import { loseIdentifier } from './identifier-loss.ts';

export interface WaitingChangeOptions {
  db: Kysely<Database>;
  messages: Pick<MessageQueue, 'add'>;
  events: EventSink;
  brands: readonly (MessageBrand & { id: string })[];
  now: () => Date;
}

/** Changes of identifiers that nobody undid. */
export interface WaitingChangeService {
  /**
   * Carries out the changes that have waited for long enough by the database's clock, and answers how many. Any
   * number of processes may do so at once: each change is carried out by one of them, or undone.
   */
  carryOut(): Promise<number>;
}

const BATCH = 20;

const notify = (
  trx: Kysely<Database>,
  { messages, brands, now }: WaitingChangeOptions,
  { account, identifiers }: AccountRecord,
  change: IdentifierChangeRow,
): Promise<Delivery[]> => {
  const { kind, value, new_value: next } = change;
  const brand = brands.find(({ id }) => id === change.brand) ?? brands[0];
  if (!brand) return Promise.resolve([]);
  return addNotices(trx, messages, next ? [{ kind, value: next }, ...identifiers] : identifiers, {
    notice: next ? `${kind}_changed` : `${kind}_unbound`,
    contact: { kind, value: next ?? value },
    at: now(),
    locale: account.locale,
    brand,
  });
};

/** Whether the account still allows the change: it keeps an identifier, and nobody has the new one. */
const mayHappen = async (
  trx: Kysely<Database>,
  { identifiers }: AccountRecord,
  { kind, new_value: next }: IdentifierChangeRow,
): Promise<boolean> =>
  next === null
    ? identifiers.length > 1
    : (await findAccountByIdentifier(trx, { kind, value: next })) === undefined;

/**
 * Undefined where nothing happens: the change was undone, or the account does not allow it any more.
 * @throws AppError identifier_taken where another account took the new identifier after the look at it
 */
const carryOutOne = async (
  trx: Kysely<Database>,
  options: WaitingChangeOptions,
  { id, account_id }: Pick<IdentifierChangeRow, 'id' | 'account_id'>,
): Promise<{ change: IdentifierChangeRow; notices: Delivery[] } | undefined> => {
  const record = await lockAccount(trx, account_id);
  const change = await deleteDueChange(trx, id);
  const old = record?.identifiers.find(({ kind }) => kind === change?.kind);
  if (!record || !change || old?.value !== change.value) return undefined;
  const { kind, new_value: value, new_display: display } = change;
  await lockIdentifierValues(trx, value === null ? [old.value] : [old.value, value]);
  if (!(await mayHappen(trx, record, change))) return undefined;
  await loseIdentifier(trx, old);
  const at = options.now();
  const row = value !== null && { kind, value, display: display ?? value, account_id, verified_at: at };
  // Waits for a registration, which does not lock the value, to end. A refusal keeps the old identifier.
  if (row && !(await insertIdentifier(trx, row))) throw new AppError('identifier_taken');
  await updateAccountTime(trx, account_id, at);
  const by = { accountId: account_id, brand: change.brand };
  const tells = [identifierChanged(value === null ? { kind } : { kind, value })];
  const removed = { detail: contactDetail(old), tells: value === null ? tells : [] };
  await noteActivity(trx, { ...by, kind: 'identifier_removed', ...removed });
  if (value !== null)
    await noteActivity(trx, {
      ...by,
      kind: 'identifier_bound',
      detail: contactDetail({ kind, value }),
      tells,
    });
  return { change, notices: await notify(trx, options, record, change) };
};

export const createWaitingChangeService = (options: WaitingChangeOptions): WaitingChangeService => {
  const { db, events } = options;

  const carryOutAndTell = async (one: Pick<IdentifierChangeRow, 'id' | 'account_id'>): Promise<number> => {
    const carry = () => inTransaction(db, (trx) => carryOutOne(trx, options, one));
    const done = await carry().catch((error: unknown) => {
      // The second look finds it taken, and ends the change.
      if (error instanceof AppError && error.code === 'identifier_taken') return carry();
      throw error;
    });
    if (!done) return 0;
    const { account_id: accountId, kind, new_value } = done.change;
    events.emit('identifier.removed', { accountId, kind });
    if (new_value !== null) events.emit('identifier.bound', { accountId, kind });
    await Promise.all(done.notices.map((notice) => notice.start()));
    return 1;
  };

  return {
    carryOut: async () => {
      const due = await listDueChanges(db, BATCH);
      const failures: unknown[] = [];
      let carried = 0;
      for (const one of due) {
        // A change that fails does not hold up the others.
        carried += await carryOutAndTell(one).catch((error: unknown) => {
          failures.push(error);
          return 0;
        });
      }
      if (failures.length > 0) throw failures[0];
      return carried;
    },
  };
};
