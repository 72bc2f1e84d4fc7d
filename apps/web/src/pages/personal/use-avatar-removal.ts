import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accountQuery } from '../../account/queries.ts';
import { call } from '../../api/client.ts';
import { notify } from '../../components/toast.tsx';
import type { Problem } from '../../forms/form-errors.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { focusRow } from './focus-row.ts';

/** Without a copy by then, the picture goes for good. */
const copyTimeoutMs = 5_000;

/** What was shown, so that it can be put back; the code that copies pictures is loaded with the first of them. */
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

/** Takes the picture away at once, and offers to put it back. */
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
    // Another was put in its place meanwhile: that one stays.
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
