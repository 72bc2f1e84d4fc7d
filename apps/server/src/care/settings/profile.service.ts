import type { Account, Locale } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import { updateProfile } from '../../person/account/account.repository.ts';
import type { AccountService } from '../../person/account/account.service.ts';
import { parseNickname } from '../../person/account/nickname.ts';

interface ProfileChange {
  /** As typed. */
  nickname?: string | undefined;
  locale?: Locale | undefined;
}

export interface ProfileService {
  /**
   * Changes what is given, and answers the account as it is then.
   * @throws AppError nickname_invalid
   */
  changeProfile(accountId: string, change: ProfileChange): Promise<Account>;
}

const requireNickname = (typed: string): string => {
  const nickname = parseNickname(typed);
  if (nickname === undefined)
    throw new AppError('nickname_invalid', { fields: { nickname: 'nickname_invalid' } });
  return nickname;
};

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
    if (nickname !== undefined || locale !== undefined)
      await updateProfile(db, accountId, {
        ...(nickname !== undefined && { nickname: requireNickname(nickname) }),
        ...(locale !== undefined && { locale }),
        updated_at: now(),
      });
    return accounts.requireAccount(accountId);
  },
});
