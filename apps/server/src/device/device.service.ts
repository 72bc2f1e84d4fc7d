import type { RememberedAccount } from '@candela/contract';
import type { Kysely } from 'kysely';
import { type AccountRecord, listAccounts } from '../account/account.repository.ts';
import type { Database } from '../db/database.ts';
import { avatarPath } from '../picture/picture-path.ts';
import { deleteDeviceAccount, listDeviceAccounts, upsertDeviceAccount } from './device-account.repository.ts';
import { hashDeviceId } from './device-id.ts';

const LISTED = 10;

/** Who a browser remembers, by the value of its pre-session cookie. */
export interface DeviceService {
  rememberAccount(device: string, accountId: string): Promise<void>;
  /** The last used first; the identifier is the one the account was registered with, if it still has it. */
  listRemembered(device: string): Promise<RememberedAccount[]>;
  forgetAccount(device: string, accountId: string): Promise<void>;
  /** An account as its own browser sees it; undefined for none, or one that is disabled. */
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
  rememberAccount: (device, accountId) =>
    upsertDeviceAccount(db, {
      device_hash: hashDeviceId(device),
      account_id: accountId,
      last_used_at: now(),
    }),

  listRemembered: async (device) => {
    const remembered = await listDeviceAccounts(db, hashDeviceId(device), LISTED);
    const accounts = await listAccounts(
      db,
      remembered.map((row) => row.account_id),
    );
    return remembered.flatMap(({ account_id }) => {
      const found = accounts.find(({ account }) => account.id === account_id);
      return (found && toRemembered(found)) ?? [];
    });
  },

  forgetAccount: (device, accountId) => deleteDeviceAccount(db, hashDeviceId(device), accountId),

  describe: async (accountId) => {
    const [found] = accountId ? await listAccounts(db, [accountId]) : [];
    return found && toRemembered(found);
  },
});
