import { type DeskContact, mayAs } from '@candela/contract';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { requireRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';
import { type AccountRecord, listAccounts, lockAccount } from '../../person/account/account.repository.ts';
import { boundSince, settledContacts } from '../../person/account/bound-since.ts';
import { listLastSettled } from '../../person/delivery/sent-message.repository.ts';
import type { DeskSessionService, StaffAtWork } from '../desk-session/desk-session.service.ts';
import { readTypedIdentifier } from '../finding/typed-identifier.ts';
import { type LookOptions, noteLook } from '../record/note-look.ts';
import { appendRecord, recordLook } from '../record/record.service.ts';
import { requireRoleStill } from '../staff/require-role.ts';
import { shownContactRows } from './shown-contact.repository.ts';

/** Contacts that an agent may try to have shown by typing them: who does not know them learns nothing by guessing. */
const typedLimits = (staffId: string, accountId: string) => [
  { key: `desk.typed ${staffId} ${accountId}`, limit: 10, windowSeconds: 3_600 },
];

export interface ContactOptions extends LookOptions {
  db: Kysely<Database>;
  deskSessions: Pick<DeskSessionService, 'countLook'>;
}

export interface ContactService {
  /** The contacts of an account, masked but for those that this member of staff may read. */
  describe(member: StaffAtWork, record: AccountRecord): Promise<DeskContact[]>;
  /**
   * Shows the contact that the caller told, which the server compares, or all of them for a reason.
   * @throws AppError not_found, role_insufficient, contact_differs, identifier_invalid, rate_limited
   */
  show(
    member: StaffAtWork,
    accountId: string,
    by: { identifier: string } | { reason: string },
  ): Promise<DeskContact[]>;
}

/** The contacts that were shown to this member of staff, in a role that may read them still. */
const listShown = async ({ db, now }: ContactOptions, { role, current }: StaffAtWork, account_id: string) =>
  mayAs(role, 'support') ? shownContactRows.list(db, { account_id, staff_id: current.accountId }, now()) : [];

/** Shows contacts of an account to this member of staff. @throws AppError not_found, role_insufficient */
const allow = async (
  trx: Kysely<Database>,
  options: ContactOptions,
  { current }: StaffAtWork,
  { account_id, values }: { account_id: string; values: readonly string[] },
) => {
  if (!(await lockAccount(trx, account_id))) throw new AppError('not_found');
  await requireRoleStill(trx, current.accountId, 'support');
  await noteLook(trx, options, account_id);
  for (const value of values)
    await shownContactRows.put(trx, { account_id, staff_id: current.accountId, value }, options.now());
};

export const createContactService = (options: ContactOptions): ContactService => {
  const { db, deskSessions, now } = options;

  const describe: ContactService['describe'] = async (member, { account, identifiers }) => {
    const shown = await listShown(options, member, account.id);
    const settled = settledContacts(identifiers, now());
    const taken = await listLastSettled(
      db,
      identifiers.map(({ value }) => hashToken(value)),
    );
    return identifiers.map((identifier) => {
      const { kind, value, display } = identifier;
      const last = taken.find(({ recipient_hash }) => recipient_hash === hashToken(value));
      return {
        kind,
        masked: maskIdentifier(value),
        ...(shown.some((one) => one.value === value) && { identifier: display }),
        boundSince: boundSince(identifier).toISOString(),
        provesCaller: settled.includes(identifier),
        ...(last?.state === 'refused' && last.settled_at && { refusedSince: last.settled_at.toISOString() }),
      };
    });
  };

  const showTyped = async (member: StaffAtWork, { account, identifiers }: AccountRecord, typed: string) => {
    await requireRateLimits(db, typedLimits(member.current.accountId, account.id), now());
    const told = readTypedIdentifier(typed);
    const own = identifiers.find(({ kind, value }) => kind === told?.kind && value === told.value);
    const recorded = { action: 'reveal', account: account.id, subject: 'typed' } as const;
    if (!own) {
      await recordLook(db, member.actor, { ...recorded, outcome: 'wrong' });
      throw new AppError('contact_differs', { fields: { identifier: 'contact_differs' } });
    }
    await inTransaction(db, async (trx) => {
      await allow(trx, options, member, { account_id: account.id, values: [own.value] });
      await appendRecord(trx, member.actor, {
        ...recorded,
        subject: maskIdentifier(own.value),
        outcome: 'right',
      });
    });
  };

  const showAll = (member: StaffAtWork, { account, identifiers }: AccountRecord, reason: string) =>
    inTransaction(db, async (trx) => {
      const values = identifiers.map(({ value }) => value);
      await allow(trx, options, member, { account_id: account.id, values });
      await appendRecord(trx, member.actor, { action: 'reveal', account: account.id, reason });
    });

  return {
    describe,

    show: async (member, accountId, by) => {
      await deskSessions.countLook(member);
      const [record] = await listAccounts(db, [accountId]);
      if (!record) throw new AppError('not_found');
      if ('identifier' in by) await showTyped(member, record, by.identifier);
      else await showAll(member, record, by.reason);
      return describe(member, record);
    },
  };
};
