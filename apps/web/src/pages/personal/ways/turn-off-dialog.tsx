import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSensitiveSubmit } from '../../../account/step-up.ts';
import { ApiError, call } from '../../../api/client.ts';
import { notify } from '../../../components/toast.tsx';
import { ConfirmDialog } from '../../../dialog/confirm-dialog.tsx';
import type { Problem } from '../../../forms/form-errors.ts';
import { focusWay } from './focus-way.ts';
import { useWaysChange } from './use-ways-change.ts';

const turnOff = async (): Promise<void> => {
  await call('DELETE /api/totp').catch((error: unknown) => {
    // It was turned off elsewhere: the result is the same.
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
  });
};

/** The question before the second step is turned off. */
export const TurnOffDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation('account');
  const changed = useWaysChange();
  const [problem, setProblem] = useState<Problem>();
  const { busy, run } = useSensitiveSubmit(async () => {
    setProblem(undefined);
    await turnOff();
    await changed();
    notify(t('app.done'));
    onClose();
    focusWay('second-step');
  }, setProblem);
  return (
    <ConfirmDialog
      title={t('ways.step.offTitle')}
      text={t('ways.step.offText')}
      action={t('ways.step.off')}
      busy={busy}
      problem={problem}
      onConfirm={() => void run()}
      onCancel={onClose}
    />
  );
};
