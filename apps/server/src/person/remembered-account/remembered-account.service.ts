import type { RememberedAccount } from '@candela/contract';
import type { Kysely } from 'kysely';
import { avatarPath } from '../../branding/picture/picture-path.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import type { AccountFacts } from '../account/account-facts.repository.ts';
import { trustedBrowserRows } from '../trusted-browser/trusted-browser.repository.ts';
import { deleteRememberedAccount, listRememberedIdentifiers } from './remembered-account.repository.ts';

const LISTED = 10;

/** Who a browser remembers, by the value of its pre-session cookie. */
export interface RememberedAccountService {
  /**
   * The remembered accounts, the last used first: of each account the identifier that was submitted in this browser,
   * while it is bound to the account, and nothing else.
   */
  listRemembered(browserId: string): Promise<RememberedAccount[]>;
  /** The browser is asked for the second factor again, too, at every brand. */
  forgetAccount(browserId: string, accountId: string): Promise<void>;
}

/** An account as its own browser shows it; undefined where it is disabled. */
export const toRemembered = ({
  id,
  status,
  nickname,
  avatar,
  identifiers: [identifier],
}: AccountFacts): RememberedAccount | undefined =>
  identifier && status !== 'disabled'
    ? {
        id,
        identifier: identifier.display,
        nickname,
        ...(avatar && { avatar: avatarPath(avatar) }),
      }
    : undefined;

export const createRememberedAccountService = ({
  db,
}: {
  db: Kysely<Database>;
}): RememberedAccountService => ({
  listRemembered: async (browserId) => {
    const remembered = await listRememberedIdentifiers(db, hashToken(browserId), LISTED);
    return remembered.map(({ accountId, identifier }) => ({ id: accountId, identifier }));
  },

  forgetAccount: (browserId, accountId) =>
    inTransaction(db, async (trx) => {
      const browserHash = hashToken(browserId);
      await trustedBrowserRows.endOf(trx, accountId, { device_hash: browserHash });
      await deleteRememberedAccount(trx, browserHash, accountId);
    }),
});
