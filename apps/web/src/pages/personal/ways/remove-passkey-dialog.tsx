import type { Passkey } from '@candela/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSensitiveSubmit } from '../../../account/step-up.ts';
import { ApiError, call } from '../../../api/client.ts';
import { Actions } from '../../../components/actions.tsx';
import { Button } from '../../../components/button.tsx';
import prose from '../../../components/prose.module.css';
import { notify } from '../../../components/toast.tsx';
import { ConfirmDialog } from '../../../dialog/confirm-dialog.tsx';
import { Dialog } from '../../../dialog/dialog.tsx';
import type { Problem } from '../../../forms/form-errors.ts';
import { focusWay } from './focus-way.ts';
import { useWaysChange } from './use-ways-change.ts';

const remove = async (id: string): Promise<void> => {
  await call('DELETE /api/passkeys/:id', { params: { id } }).catch((error: unknown) => {
    // It was removed elsewhere: the result is the same.
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
  });
};

interface RemovePasskeyDialogProps {
  passkey: Passkey;
  /** Binds an identifier, so that the passkey is not the last way in. */
  onBind: () => void;
  onClose: () => void;
}

/** Removes a passkey. For the last way in, explains what to add first. */
export const RemovePasskeyDialog = ({ passkey, onBind, onClose }: RemovePasskeyDialogProps) => {
  const { t } = useTranslation('account');
  const changed = useWaysChange();
  const [problem, setProblem] = useState<Problem>();
  const { id, name } = passkey;
  const { busy, run } = useSensitiveSubmit(async () => {
    setProblem(undefined);
    await remove(id);
    await changed();
    notify(t('app.done'));
    onClose();
    focusWay('passkeys');
  }, setProblem);
  if (problem?.code === 'last_way_in') {
    return (
      <Dialog key="only" title={t('ways.passkeys.onlyTitle')} onClose={onClose}>
        <p className={prose.lead}>{t('ways.passkeys.onlyText')}</p>
        <Actions>
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button look="primary" onClick={onBind}>
            {t('settings.phone.bindOther')}
          </Button>
        </Actions>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title={t('ways.passkeys.removeTitle', { name })}
      text={t('ways.passkeys.removeText')}
      action={t('ways.passkeys.removeAction')}
      busy={busy}
      problem={problem}
      onConfirm={() => void run()}
      onCancel={onClose}
    />
  );
};
