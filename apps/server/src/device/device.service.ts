import type { RememberedAccount } from '@candela/contract';
import type { Kysely } from 'kysely';
import { type AccountRecord, listAccounts } from '../account/account.repository.ts';
import type { Database } from '../db/database.ts';
import type { Identifier } from '../identifier/identifier.ts';
import { hashToken } from '../opaque-token.ts';
import { avatarPath } from '../picture/picture-path.ts';
import {
  deleteDeviceAccount,
  listRememberedIdentifiers,
  upsertDeviceAccount,
} from './device-account.repository.ts';

const LISTED = 10;

/** Who a browser remembers, by the value of its pre-session cookie. */
export interface DeviceService {
  /**
   * Remembers what was submitted in this browser, in place of what was submitted before for this account; not
   * where all sessions of the account ended since the sign-in began, by its epoch.
   */
  rememberAccount(
    device: string,
    account: { accountId: string; epoch: number },
    submitted: Identifier,
  ): Promise<void>;
  /**
   * The last used first: of each account what was submitted in this very browser, while it is bound to it, and
   * nothing else.
   */
  listRemembered(device: string): Promise<RememberedAccount[]>;
  forgetAccount(device: string, accountId: string): Promise<void>;
  /** An account as the browser that is signed in to it sees it; undefined for none, or one that is disabled. */
  describe(accountId: string | undefined): Promise<RememberedAccount | undefined>;
}

const toRemembered = ({
  account,
  identifiers: [identifier],
  avatar,
}: AccountRecord): RememberedAccount | undefined =>
  identifier && account.status === 'active'
    ? {
        id: account.id,
        identifier: identifier.display,
        nickname: account.nickname,
        ...(avatar && { avatar: avatarPath(avatar) }),
      }
    : undefined;

export const createDeviceService = ({
  db,
  now,
}: {
  db: Kysely<Database>;
  now: () => Date;
}): DeviceService => ({
  rememberAccount: (device, { accountId, epoch }, { kind, value, display }) => {
    const device_hash = hashToken(device);
    const row = { device_hash, account_id: accountId, last_used_at: now(), kind, value, display };
    return upsertDeviceAccount(db, row, epoch);
  },

  listRemembered: async (device) => {
    const remembered = await listRememberedIdentifiers(db, hashToken(device), LISTED);
    return remembered.map(({ accountId, identifier }) => ({ id: accountId, identifier }));
  },

  forgetAccount: (device, accountId) => deleteDeviceAccount(db, hashToken(device), accountId),

  describe: async (accountId) => {
    const [found] = accountId ? await listAccounts(db, [accountId]) : [];
    return found && toRemembered(found);
  },
});
