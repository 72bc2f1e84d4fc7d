import type { StaffRole } from '@candela/contract';
import type { Kysely } from 'kysely';
import { findNamedAccount } from '../../care/account-status/named-account.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { listAccounts } from '../../person/account/account.repository.ts';
import { deleteStaff, findStaffRole, hasStaff, listStaff, upsertStaff } from './staff.repository.ts';

/** Somebody who answers the phone. */
export interface StaffMember {
  /** The id of the account. */
  id: string;
  nickname: string;
  /** As the account is shown them, in the order in which they were verified. */
  identifiers: string[];
  role: StaffRole;
  allowedAt: Date;
}

export interface StaffService {
  /**
   * Gives an account, named by its id or an identifier as typed, a role; another role takes the place of the one before.
   * @returns `changed`: false where it has the role
   * @throws AppError account_not_found, and those of the identifier
   */
  allow(named: string, role: StaffRole): Promise<{ id: string; role: StaffRole; changed: boolean }>;
  /**
   * Takes the role away; requests that are under way are refused.
   * @returns `changed`: false where the account is no staff
   * @throws AppError as `allow`
   */
  revoke(named: string): Promise<{ id: string; changed: boolean }>;
  /** The newest first; at most 1,000. */
  list(): Promise<StaffMember[]>;
  roleOf(accountId: string): Promise<StaffRole | undefined>;
  /** Whether there is a desk. */
  isThere(): Promise<boolean>;
}

const MOST = 1_000;

export const createStaffService = ({
  db,
  events,
}: {
  db: Kysely<Database>;
  events: EventSink;
}): StaffService => ({
  allow: async (named, role) => {
    const id = await findNamedAccount(db, named);
    const [record] = await listAccounts(db, [id]);
    if (!record) throw new AppError('account_not_found');
    const changed = await upsertStaff(db, { account_id: id, role });
    if (changed) events.emit('staff.allowed', { accountId: id, actor: 'operator', reason: role });
    return { id, role, changed };
  },

  revoke: async (named) => {
    const id = await findNamedAccount(db, named);
    const changed = await deleteStaff(db, id);
    if (changed) events.emit('staff.revoked', { accountId: id, actor: 'operator' });
    return { id, changed };
  },

  list: async () => {
    const rows = await listStaff(db, MOST);
    const records = await listAccounts(
      db,
      rows.map(({ account_id }) => account_id),
    );
    const byId = new Map(records.map((record) => [record.account.id, record]));
    return rows.flatMap(({ account_id: id, role, allowed_at: allowedAt }) => {
      const record = byId.get(id);
      if (!record) return [];
      const identifiers = record.identifiers.map(({ display }) => display);
      return [{ id, nickname: record.account.nickname, identifiers, role, allowedAt }];
    });
  },

  roleOf: (accountId) => findStaffRole(db, accountId),
  isThere: () => hasStaff(db),
});
