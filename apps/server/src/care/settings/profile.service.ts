import type { Account, Locale } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import { requireRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';
import { updateProfile } from '../../person/account/account.repository.ts';
import type { AccountService } from '../../person/account/account.service.ts';
import { parseNickname } from '../../person/account/nickname.ts';
import { tell } from '../../person/signal/tell.ts';
import { claimsChange } from '../../person/signal/told.ts';

interface ProfileChange {
  /** As typed. */
  nickname?: string | undefined;
  locale?: Locale | undefined;
}

export interface ProfileService {
  /**
   * Changes what is given, and answers the account as it is then.
   * @throws AppError nickname_invalid, rate_limited
   */
  changeProfile(accountId: string, change: ProfileChange): Promise<Account>;
}

const requireNickname = (typed: string): string => {
  const nickname = parseNickname(typed);
  if (nickname === undefined)
    throw new AppError('nickname_invalid', { fields: { nickname: 'nickname_invalid' } });
  return nickname;
};

/** Apps are told of each change, and nobody may flood them. */
const limitOf = (accountId: string) => ({ key: `profile ${accountId}`, limit: 100, windowSeconds: 3600 });

/** The claims of a profile by their names in OpenID Connect Core section 5.1. */
const claimsOf = ({ nickname, locale }: ProfileChange) => ({
  ...(nickname !== undefined && { name: nickname, nickname, preferred_username: nickname }),
  ...(locale !== undefined && { locale }),
});

export const createProfileService = ({
  db,
  accounts,
  now,
}: {
  db: Kysely<Database>;
  accounts: Pick<AccountService, 'requireAccount'>;
  now: () => Date;
}): ProfileService => ({
  changeProfile: async (accountId, { nickname, locale }) => {
    const changed = {
      ...(nickname !== undefined && { nickname: requireNickname(nickname) }),
      ...(locale !== undefined && { locale }),
    };
    if (nickname !== undefined || locale !== undefined)
      await inTransaction(db, async (trx) => {
        const at = now();
        if (!(await updateProfile(trx, accountId, { ...changed, updated_at: at }))) return;
        await requireRateLimits(trx, [limitOf(accountId)], at);
        await tell(trx, accountId, [claimsChange(claimsOf(changed))]);
      });
    return accounts.requireAccount(accountId);
  },
});
