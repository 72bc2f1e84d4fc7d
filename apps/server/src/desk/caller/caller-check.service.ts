import { createHmac, randomInt } from 'node:crypto';
import type { CallerCheck, CallerDigits } from '@candela/contract';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import { foldCode } from '@candela/contract/rules/verification-code';
import type { Kysely } from 'kysely';
import { findHoldings } from '../../care/account-status/account-status.repository.ts';
import type { Database } from '../../ground/db/database.ts';
import { transact } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import {
  hitRateLimit,
  hitRateLimits,
  refuseSpent,
  requireRateLimits,
} from '../../ground/rate-limit/rate-limit.service.ts';
import { sealingKeys } from '../../ground/seal.ts';
import { type AccountRecord, lockAccount } from '../../person/account/account.repository.ts';
import { settledContacts } from '../../person/account/bound-since.ts';
import { createCallerMessage, type MessageBrand } from '../../person/delivery/code-message.ts';
import type { Delivery, MessageQueue } from '../../person/delivery/message-queue.ts';
import { createCode } from '../../person/verification/secrets.ts';
import type { StaffAtWork } from '../desk-session/desk-session.service.ts';
import { appendRecord } from '../record/record.service.ts';
import { recordRefused } from '../record/record-refused.ts';
import { requireRoleStill } from '../staff/require-role.ts';
import { callerCheckRows, updateAnswered } from './caller-check.repository.ts';
import type { CallerCheckRow } from './caller-check.table.ts';

/** How long a caller may take to find the code, or to open the page with the digits. */
const ASKED_SECONDS = 600;
/** How long an agent may help after a right answer. */
const RIGHT_SECONDS = 1_800;
/** Two digits are one in ninety: nobody guesses twice at one pair. */
const TRIES = { code: 3, digits: 1 };

const checkLimits = (accountId: string) => [
  { key: `desk.caller.1-hour ${accountId}`, limit: 5, windowSeconds: 3_600 },
  { key: `desk.caller.2-day ${accountId}`, limit: 10, windowSeconds: 86_400 },
];

/** Wrong answers by digits, whoever asked: fresh pairs are not guessed one after another. */
const wrongDigits = (accountId: string) => ({
  key: `desk.caller.digits ${accountId}`,
  limit: 2,
  windowSeconds: 86_400,
});

const findSpentDigits = (db: Kysely<Database>, accountId: string, now: Date) =>
  hitRateLimits(db, [], now, [wrongDigits(accountId)]);

type Asked = { way: 'code'; contact: 'phone' | 'email' } | { way: 'digits' };

export interface CallerCheckOptions {
  db: Kysely<Database>;
  messages: Pick<MessageQueue, 'add'>;
  /** SECRET_KEY, newest first. */
  secretKeys: readonly string[];
  events: EventSink;
  now: () => Date;
}

/** Who is calling? The agent types what the caller says, and learns whether it is right, never what is right. */
export interface CallerCheckService {
  /**
   * Sends a code to a contact that is bound for long, or shows two digits to the person where they are signed in.
   * @throws AppError not_found, own_account, contact_too_young, not_there, digits_exhausted, rate_limited
   */
  start(member: StaffAtWork, accountId: string, asked: Asked, brand: MessageBrand): Promise<CallerCheck>;
  /** @throws AppError nothing_to_do where no answer is due */
  answer(member: StaffAtWork, accountId: string, answer: string): Promise<CallerCheck>;
  /** What this member of staff knows of who is calling. */
  find(member: StaffAtWork, record: AccountRecord): Promise<CallerCheck>;
  /** The two digits that a signed-in person reads out; none where nobody asked. */
  findDigits(accountId: string): Promise<CallerDigits>;
}

/** Whether the caller has proven who they are to this member of staff, and it still counts. */
export const isProven = async (
  db: Kysely<Database>,
  { accountId, staffId, now }: { accountId: string; staffId: string; now: Date },
): Promise<boolean> =>
  (await callerCheckRows.find(db, { account_id: accountId, staff_id: staffId, state: 'right' }, now)) !==
  undefined;

const later = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1000);

const stateOf = (row: CallerCheckRow | undefined, record: AccountRecord, at: Date): CallerCheck => {
  if (!row) return { state: 'none' };
  const { way, contact, state, tries_left: triesLeft, expires_at } = row;
  const to = record.identifiers.find(({ kind }) => kind === contact);
  return {
    state: expires_at <= at && state !== 'wrong' ? 'over' : state,
    way,
    ...(to && { to: maskIdentifier(to.value) }),
    triesLeft,
    until: expires_at.toISOString(),
  };
};

const toCheck = async (
  { db, now }: CallerCheckOptions,
  row: CallerCheckRow | undefined,
  record: AccountRecord,
): Promise<CallerCheck> => {
  const spent = await findSpentDigits(db, record.account.id, now());
  return { ...stateOf(row, record, now()), ...(spent && { digitsSpent: true }) };
};

/** Whose check it is. */
interface Whose {
  account_id: string;
  staff_id: string;
}

const hashesOf = (secretKeys: readonly string[], { account_id, staff_id }: Whose, answer: string) =>
  sealingKeys(secretKeys, 'caller checks').map((key) =>
    createHmac('sha256', key).update(`${account_id} ${staff_id} ${answer}`).digest('base64url'),
  );

/** Stores what the answer is, in place of the check before. */
const putCheck = (
  trx: Kysely<Database>,
  { secretKeys, now }: CallerCheckOptions,
  whose: Whose,
  { answer, way, contact }: Pick<CallerCheckRow, 'way' | 'contact'> & { answer: string },
) => {
  const [answer_hash = ''] = hashesOf(secretKeys, whose, answer);
  const digits = way === 'digits' ? answer : null;
  const expires_at = later(now(), ASKED_SECONDS);
  const row = { ...whose, way, contact, answer_hash, digits, tries_left: TRIES[way], expires_at };
  return callerCheckRows.put(trx, { ...row, state: 'asked' }, now());
};

const askForCode = async (
  trx: Kysely<Database>,
  { messages, now }: CallerCheckOptions,
  { account, identifiers }: AccountRecord,
  { contact, brand }: { contact: 'phone' | 'email'; brand: MessageBrand },
): Promise<{ answer: string; delivery: Delivery }> => {
  const identifier = identifiers.find(({ kind }) => kind === contact);
  if (!identifier) throw new AppError('not_found');
  if (!settledContacts(identifiers, now()).includes(identifier)) throw new AppError('contact_too_young');
  const answer = createCode();
  const { locale } = account;
  const input = { identifier, code: answer, locale, brand, ttlSeconds: ASKED_SECONDS };
  const delivery = await messages.add(trx, createCallerMessage(input), { lifetimeSeconds: ASKED_SECONDS });
  return { answer, delivery };
};

const askForDigits = async (
  trx: Kysely<Database>,
  { events, now }: CallerCheckOptions,
  accountId: string,
) => {
  const spent = await findSpentDigits(trx, accountId, now());
  if (spent) throw new AppError('digits_exhausted', refuseSpent(spent, events).details);
  if ((await findHoldings(trx, accountId)).sessions === 0) throw new AppError('not_there');
  // A person reads one pair of digits at a time.
  await callerCheckRows.endOf(trx, accountId, { way: 'digits', state: 'asked' });
  return { answer: String(randomInt(10, 100)), delivery: undefined };
};

/** Locks the account, and the role of whoever asks. @throws AppError not_found, role_insufficient */
const requireLocked = async (
  trx: Kysely<Database>,
  { current }: StaffAtWork,
  accountId: string,
): Promise<AccountRecord> => {
  const record = await lockAccount(trx, accountId);
  if (!record) throw new AppError('not_found');
  await requireRoleStill(trx, current.accountId, 'support');
  return record;
};

/** Compares an answer, and counts it where it is wrong. @throws AppError nothing_to_do where no answer is due */
const compare = async (
  trx: Kysely<Database>,
  { secretKeys, now }: CallerCheckOptions,
  whose: Whose,
  answer: string,
): Promise<CallerCheckRow> => {
  const at = now();
  const hashes = hashesOf(secretKeys, whose, foldCode(answer));
  const answered = await updateAnswered(trx, whose, { hashes, now: at, until: later(at, RIGHT_SECONDS) });
  if (!answered) throw new AppError('nothing_to_do');
  if (answered.way === 'digits' && answered.state === 'wrong')
    await hitRateLimit(trx, wrongDigits(whose.account_id), at);
  return answered;
};

export const createCallerCheckService = (options: CallerCheckOptions): CallerCheckService => {
  const { db, events, now } = options;
  const whoseOf = ({ current }: StaffAtWork, account_id: string): Whose => ({
    account_id,
    staff_id: current.accountId,
  });

  return {
    start: async (member, accountId, asked, brand) => {
      const whose = whoseOf(member, accountId);
      const contact = asked.way === 'code' ? asked.contact : null;
      const recorded = { action: 'start-check', account: accountId, subject: contact ?? 'digits' } as const;
      const { row, record, delivery } = await recordRefused(db, member.actor, recorded, () =>
        transact(db, async (trx) => {
          if (accountId === member.current.accountId) throw new AppError('own_account');
          const locked = await requireLocked(trx, member, accountId);
          await requireRateLimits(trx, checkLimits(accountId), now(), events);
          const made = contact
            ? await askForCode(trx, options, locked, { contact, brand })
            : await askForDigits(trx, options, accountId);
          const put = await putCheck(trx, options, whose, { way: asked.way, contact, answer: made.answer });
          await appendRecord(trx, member.actor, recorded);
          return { row: put, record: locked, delivery: made.delivery };
        }),
      );
      await delivery?.start();
      return toCheck(options, row, record);
    },

    answer: async (member, accountId, answer) => {
      const recorded = { action: 'answer-check', account: accountId } as const;
      const { row, record } = await recordRefused(db, member.actor, recorded, () =>
        transact(db, async (trx) => {
          const locked = await requireLocked(trx, member, accountId);
          const answered = await compare(trx, options, whoseOf(member, accountId), answer);
          const outcome = answered.state === 'right' ? ('right' as const) : ('wrong' as const);
          await appendRecord(trx, member.actor, { ...recorded, subject: answered.way, outcome });
          return { row: answered, record: locked };
        }),
      );
      events.emit('caller.checked', { accountId, reason: row.state === 'right' ? 'right' : 'wrong' });
      return toCheck(options, row, record);
    },

    find: async (member, record) =>
      toCheck(options, await callerCheckRows.findKept(db, whoseOf(member, record.account.id)), record),

    findDigits: async (accountId) => {
      const asked = { account_id: accountId, way: 'digits', state: 'asked' } as const;
      const row = await callerCheckRows.find(db, asked, now());
      if (!row?.digits) return {};
      return { digits: row.digits, until: row.expires_at.toISOString() };
    },
  };
};
