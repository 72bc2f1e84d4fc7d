import type { UndoDetails } from '@candela/contract';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import type { Kysely } from 'kysely';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import type { Match } from '../../ground/db/expiring-rows.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { createOpaqueToken, hashToken } from '../../ground/opaque-token.ts';
import { requireRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';
import { type AccountRecord, listAccounts } from '../account/account.repository.ts';
import type { AccountIdentifierRow } from '../account/account.table.ts';
import { boundSince } from '../account/bound-since.ts';
import { noteActivity } from '../activity/note-activity.ts';
import type { MessageBrand } from '../delivery/code-message.ts';
import type { Delivery } from '../delivery/message-queue.ts';
import { addNotices } from '../delivery/notices.ts';
import { type MayStop, type StopOptions, type StoppedWaits, stopWaits } from './ended-waits.ts';
import { recoveryWaitRows } from './recovery-wait.repository.ts';
import type { RecoveryWaitRow } from './recovery-wait.table.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** How long a recovery waits, counted from when its identifier had been bound for as long. */
const WAIT_SECONDS = 72 * HOUR;
/** How long after that it opens a new password. */
const OPEN_SECONDS = 7 * DAY;

/** Waits with one identifier: a stopped one is not begun anew at once, so that its notices are no flood. */
const startLimits = (accountId: string, kind: string) => [
  { key: `recovery.wait.day ${accountId} ${kind}`, limit: 1, windowSeconds: DAY },
  { key: `recovery.wait.month ${accountId} ${kind}`, limit: 3, windowSeconds: 30 * DAY },
];

type NamedBrand = MessageBrand & { id: string };

export interface RecoveryWaitOptions extends StopOptions {
  db: Kysely<Database>;
}

/** Where somebody asks for a wait. */
interface AskedIn {
  brand: NamedBrand;
  /** The browser. */
  facts?: RequestFacts | undefined;
}

/** Whoever has lost every second factor waits, and whoever did not ask for that stops it. */
export interface RecoveryWaitService {
  /**
   * Begins a wait, in a transaction that has locked the account; every contact is told, with a link that stops it. A
   * wait with the same identifier goes on as it was, and nobody is told again. An identifier that has not been bound
   * for 72 hours waits until it has, and then for 72 hours.
   * @throws AppError rate_limited
   */
  start(
    trx: Kysely<Database>,
    owner: AccountRecord & { proven: AccountIdentifierRow },
    asked: AskedIn,
  ): Promise<{ dueAt: Date; notices: Delivery[]; started: boolean }>;
  /** When the first of the waits of an account is due; undefined where none waits. */
  findDue(accountId: string): Promise<Date | undefined>;
  /** When the wait with this identifier of the account is due. */
  findOwn(db: Kysely<Database>, proven: AccountIdentifierRow): Promise<Date | undefined>;
  /** What a link stops; undefined for no link of this kind. */
  look(token: string): Promise<UndoDetails | undefined>;
  /** Stops the wait of a link; false for no link of this kind. All contacts are told. */
  stopByLink(token: string, brand: NamedBrand): Promise<boolean>;
  /** Since when the oldest contact that waits is bound, and when the first asked; undefined where none waits. */
  findWaiting(accountId: string): Promise<{ since: Date; at: Date } | undefined>;
  /** Stops the waits of an account that `mayStop` allows; false where none does. All contacts are told. */
  stop(accountId: string, by: { brand: NamedBrand; mayStop?: MayStop }): Promise<boolean>;
  /** The same in the transaction in which a second factor was passed: it is not lost. */
  stopPassed(
    trx: Kysely<Database>,
    accountId: string,
    by: { brand: NamedBrand; mayStop: MayStop },
  ): Promise<StoppedWaits>;
}

const dueOf = ({ verified_at }: AccountIdentifierRow, at: Date): Date =>
  new Date(Math.max(at.getTime(), verified_at.getTime() + WAIT_SECONDS * 1000) + WAIT_SECONDS * 1000);

const startLocked = async (
  trx: Kysely<Database>,
  { messages, events, now }: RecoveryWaitOptions,
  { account, identifiers, proven }: AccountRecord & { proven: AccountIdentifierRow },
  { brand, facts }: AskedIn,
) => {
  const at = now();
  const { kind, value } = proven;
  const waiting = await recoveryWaitRows.find(trx, { account_id: account.id, kind, value }, at);
  if (waiting) return { dueAt: waiting.due_at, notices: [], started: false };
  await requireRateLimits(trx, startLimits(account.id, kind), at, events);
  const stop = createOpaqueToken();
  const dueAt = dueOf(proven, at);
  const wait = { account_id: account.id, kind, value, stop_hash: hashToken(stop), requested_at: at };
  const expires_at = new Date(dueAt.getTime() + OPEN_SECONDS * 1000);
  await recoveryWaitRows.put(trx, { ...wait, due_at: dueAt, expires_at }, at);
  const detail = { contactKind: kind, contact: maskIdentifier(value) };
  await noteActivity(trx, {
    accountId: account.id,
    kind: 'recovery_wait_started',
    brand: brand.id,
    facts,
    detail,
  });
  const told = {
    notice: 'recovery_wait_started',
    contact: proven,
    dueAt,
    at,
    locale: account.locale,
    brand,
  } as const;
  // A contact that is younger than the proven one keeps it out by no link.
  const isYounger = (one: AccountIdentifierRow) => boundSince(one) > boundSince(proven);
  const notices = [
    ...(await addNotices(
      trx,
      messages,
      identifiers.filter((one) => !isYounger(one)),
      { ...told, stop },
    )),
    ...(await addNotices(trx, messages, identifiers.filter(isYounger), told)),
  ];
  return { dueAt, notices, started: true };
};

const toUndoDetails = ({ value, requested_at, due_at, expires_at }: RecoveryWaitRow): UndoDetails => ({
  kind: 'recovery',
  identifier: maskIdentifier(value),
  waits: true,
  requestedAt: requested_at.toISOString(),
  dueAt: due_at.toISOString(),
  endsAt: expires_at.toISOString(),
});

export const createRecoveryWaitService = (options: RecoveryWaitOptions): RecoveryWaitService => {
  const { db, now } = options;

  const stop = async (
    accountId: string,
    choice: { brand: NamedBrand; mayStop?: MayStop; only?: Match<'recovery_wait'> },
  ) => {
    const stopped = await inTransaction(db, (trx) => stopWaits(trx, options, accountId, choice));
    await stopped.start();
    return stopped.count > 0;
  };

  return {
    start: (trx, owner, asked) => startLocked(trx, options, owner, asked),

    findDue: async (accountId) => (await recoveryWaitRows.find(db, { account_id: accountId }, now()))?.due_at,

    findOwn: async (trx, { account_id, kind, value }) =>
      (await recoveryWaitRows.find(trx, { account_id, kind, value }, now()))?.due_at,

    look: async (token) => {
      const wait = await recoveryWaitRows.find(db, { stop_hash: hashToken(token) }, now());
      return wait && toUndoDetails(wait);
    },

    stopByLink: async (token, brand) => {
      const only = { stop_hash: hashToken(token) };
      const wait = await recoveryWaitRows.find(db, only, now());
      return wait !== undefined && (await stop(wait.account_id, { brand, only }));
    },

    findWaiting: async (accountId) => {
      const [record] = await listAccounts(db, [accountId]);
      const waits = await recoveryWaitRows.list(db, { account_id: accountId }, now());
      const contacts = (record?.identifiers ?? []).filter(({ kind, value }) =>
        waits.some((wait) => wait.kind === kind && wait.value === value),
      );
      const first = (dates: Date[]) => dates.toSorted((a, b) => a.getTime() - b.getTime())[0];
      const since = first(contacts.map(boundSince));
      const at = first(waits.map(({ requested_at }) => requested_at));
      return since && at && { since, at };
    },

    stop,

    stopPassed: (trx, accountId, by) => stopWaits(trx, options, accountId, by),
  };
};
