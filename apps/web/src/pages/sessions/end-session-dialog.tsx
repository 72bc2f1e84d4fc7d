import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useDeviceName } from '../../components/device-facts.tsx';
import type { Problem } from '../../forms/form-errors.ts';
import type { Ending } from './sessions-page.tsx';

interface EndSessionDialogProps {
  target: Ending;
  busy: boolean;
  problem: Problem | undefined;
  confirm: () => void;
  cancel: () => void;
}

/** Names what is about to be signed out. */
export const EndSessionDialog = ({ target, busy, problem, confirm, cancel }: EndSessionDialogProps) => {
  const { t } = useTranslation();
  const deviceName = useDeviceName();
  const words = () => {
    if (target === 'all') {
      return [t('sessions.allTitle'), t('sessions.allText'), t('sessions.signOutAll')] as const;
    }
    if (target === 'others') {
      return [t('sessions.othersTitle'), t('sessions.othersText'), t('sessions.signOut')] as const;
    }
    const text = target.current
      ? t('sessions.currentText')
      : t('sessions.oneText', { device: deviceName(target) });
    return [t('sessions.oneTitle'), text, t('sessions.signOut')] as const;
  };
  const [title, text, action] = words();
  return (
    <ConfirmDialog
      title={title}
      text={text}
      action={action}
      busy={busy}
      problem={problem}
      onConfirm={confirm}
      onCancel={cancel}
    />
  );
};
