import type { ProviderOfAccount } from '@candela/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, call } from '../../../../shell/api/client.ts';
import type { Problem } from '../../../../shell/forms/form-errors.ts';
import { useSensitiveSubmit } from '../../../account/step-up.ts';
import { notify } from '../../../components/toast.tsx';
import { ConfirmDialog } from '../../../dialog/confirm-dialog.tsx';
import { focusRow } from '../focus-row.ts';
import { useFreshWays } from './use-fresh-ways.ts';

interface UnlinkDialogProps {
  provider: ProviderOfAccount;
  /** Goes to the provider, to take the removal back. */
  onLinkAgain: () => void;
  onClose: () => void;
}

/** Removes the way in through a provider. The last way in stays, and the refusal says what to add first. */
export const UnlinkDialog = ({ provider, onLinkAgain, onClose }: UnlinkDialogProps) => {
  const { t } = useTranslation('security');
  const refresh = useFreshWays();
  const [problem, setProblem] = useState<Problem>();
  const { id, name } = provider;
  const { busy, run } = useSensitiveSubmit(async () => {
    setProblem(undefined);
    try {
      await call('DELETE /api/providers/:id', { params: { id } });
    } catch (error) {
      // It was removed elsewhere: the result is the same.
      if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
    }
    await refresh();
    notify(t('ways.providerRemoved', { name }), { label: t('ways.providerAgain'), run: onLinkAgain });
    onClose();
    focusRow(`provider-${id}`);
  }, setProblem);
  return (
    <ConfirmDialog
      title={t('ways.removeTitle', { name })}
      text={t('ways.removeText')}
      action={t('settings.remove')}
      busy={busy}
      problem={problem}
      onConfirm={() => void run()}
      onCancel={onClose}
    />
  );
};
