import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../shell/api/client.ts';
import type { Problem } from '../../../../shell/forms/form-errors.ts';
import { useSensitiveSubmit } from '../../../account/step-up.ts';
import { notify } from '../../../components/toast.tsx';
import { ConfirmDialog } from '../../../dialog/confirm-dialog.tsx';
import { useFreshWays } from './use-fresh-ways.ts';

interface TurnOffDialogProps {
  onDone: () => void;
  onClose: () => void;
}

export const TurnOffDialog = ({ onDone, onClose }: TurnOffDialogProps) => {
  const { t } = useTranslation('security');
  const refresh = useFreshWays();
  const [problem, setProblem] = useState<Problem>();
  const { busy, run } = useSensitiveSubmit(async () => {
    setProblem(undefined);
    await call('DELETE /api/totp');
    await refresh();
    notify(t('ways.totpIsOff'));
    onDone();
  }, setProblem);
  return (
    <ConfirmDialog
      title={t('ways.totpOffTitle')}
      text={t('ways.totpOffText')}
      action={t('ways.totpOff')}
      busy={busy}
      problem={problem}
      onConfirm={() => void run()}
      onCancel={onClose}
    />
  );
};

interface NewCodesDialogProps {
  /** Gets the new recovery codes. */
  onMade: (codes: readonly string[]) => void;
  onClose: () => void;
}

/** Asks before it makes new recovery codes: the old ones end with it. */
export const NewCodesDialog = ({ onMade, onClose }: NewCodesDialogProps) => {
  const { t } = useTranslation('security');
  const refresh = useFreshWays();
  const [problem, setProblem] = useState<Problem>();
  const { busy, run } = useSensitiveSubmit(async () => {
    setProblem(undefined);
    const { recoveryCodes } = await call('POST /api/totp/recovery-codes');
    onMade(recoveryCodes);
    await refresh();
  }, setProblem);
  return (
    <ConfirmDialog
      title={t('ways.codesNewTitle')}
      text={t('ways.codesNewText')}
      action={t('ways.codesNew')}
      busy={busy}
      problem={problem}
      onConfirm={() => void run()}
      onCancel={onClose}
    />
  );
};
