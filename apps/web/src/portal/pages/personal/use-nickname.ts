import type { Account } from '@candela/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError, call, signInAgain } from '../../../shell/api/client.ts';
import type { Problem } from '../../../shell/forms/form-errors.ts';
import { accountQuery } from '../../account/queries.ts';
import { notify } from '../../components/toast.tsx';
import { keepUnsaved } from './setting.ts';

/** A refused nickname, as it was typed. */
export interface RefusedNickname {
  nickname: string;
  problem: Problem;
}

/** Saves a nickname. The page shows it at once, and shows the former nickname again after a refusal. */
export const useNickname = (account: Account, onRefused: (refused: RefusedNickname) => void) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const show = (nickname: string) =>
    client.setQueryData(accountQuery.queryKey, (shown) => shown && { ...shown, nickname });

  return async (nickname: string): Promise<void> => {
    await client.cancelQueries({ queryKey: accountQuery.queryKey });
    show(nickname);
    try {
      const saved = await call('PATCH /api/account', { body: { nickname } });
      show(saved.nickname);
      notify(t('app.done'));
    } catch (cause) {
      show(account.nickname);
      const problem = cause instanceof ApiError ? cause : ({ code: 'internal_error' } as const);
      if (problem.code !== 'not_signed_in') return onRefused({ nickname, problem });
      keepUnsaved({ accountId: account.id, setting: 'nickname', nickname });
      signInAgain({ kept: true });
    }
  };
};
