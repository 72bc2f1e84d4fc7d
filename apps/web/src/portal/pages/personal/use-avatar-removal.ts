import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shell/api/client.ts';
import type { Problem } from '../../../shell/forms/form-errors.ts';
import { useSubmit } from '../../../shell/forms/use-submit.ts';
import { accountQuery } from '../../account/queries.ts';
import { notify } from '../../components/toast.tsx';
import { focusRow } from './focus-row.ts';

/** The time limit for the copy. Without a copy the removal cannot be undone. */
const copyTimeoutMs = 5_000;

/** A copy of the picture for “Undo”. The code that copies pictures loads at the first call. */
const copyOf = async (avatar: string): Promise<Blob | undefined> => {
  try {
    const [{ copyPicture }, shown] = await Promise.all([
      import('./picture.ts'),
      fetch(avatar, { signal: AbortSignal.timeout(copyTimeoutMs) }),
    ]);
    return await copyPicture(await shown.blob());
  } catch {
    return undefined;
  }
};

/** Removes the picture at once, and offers to restore it. */
export const useAvatarRemoval = () => {
  const { t } = useTranslation('account');
  const client = useQueryClient();
  const [problem, setProblem] = useState<Problem>();
  const show = (avatar: string | undefined) =>
    client.setQueryData(accountQuery.queryKey, (shown) => shown && { ...shown, avatar });

  const restoring = useSubmit(async (copy: Blob) => {
    client.setQueryData(accountQuery.queryKey, await call('PUT /api/account/avatar', { body: copy }));
    notify(t('app.done'));
  }, setProblem);
  const restore = (copy: Blob) => {
    focusRow('avatar');
    void restoring.run(copy);
  };
  const removing = useSubmit(async (avatar: string) => {
    setProblem(undefined);
    const copying = copyOf(avatar);
    await client.cancelQueries({ queryKey: accountQuery.queryKey });
    show(undefined);
    const copy = await copying;
    // A picture that was set meanwhile stays.
    const now = client.getQueryData(accountQuery.queryKey)?.avatar;
    if (now && now !== avatar) return;
    try {
      await call('DELETE /api/account/avatar');
    } catch (error) {
      show(avatar);
      throw error;
    }
    notify(t('settings.avatar.removed'), copy && { label: t('settings.undo'), run: () => restore(copy) });
  }, setProblem);

  return { remove: removing.run, problem };
};
