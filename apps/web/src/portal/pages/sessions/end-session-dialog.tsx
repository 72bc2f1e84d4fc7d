import type { Session } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { useDeviceName } from '../../../flow/components/use-device-name.ts';
import { type ConfirmAnswer, ConfirmDialog } from '../../dialog/confirm-dialog.tsx';

/** The sessions to end. */
export type Ending = Session | 'others' | 'all';

interface EndSessionDialogProps {
  target: Ending;
  answer: ConfirmAnswer;
}

/** Asks for a confirmation before sessions end. For a single session, names its device. */
export const EndSessionDialog = ({ target, answer }: EndSessionDialogProps) => {
  const { t } = useTranslation('account');
  const deviceName = useDeviceName();
  const words = () => {
    if (target === 'all') {
      return [t('sessions.allTitle'), t('sessions.allText'), t('sessions.signOutAll')] as const;
    }
    if (target === 'others') {
      return [t('sessions.othersTitle'), t('sessions.othersText'), t('sessions.signOutOthers')] as const;
    }
    if (target.current) {
      return [t('sessions.currentTitle'), t('sessions.currentText'), t('personal.signOut')] as const;
    }
    const action = t('sessions.signOut');
    if (!target.browser.name) {
      return [t('sessions.unknownTitle'), t('sessions.unknownText'), action] as const;
    }
    const device = deviceName(target);
    return [t('sessions.oneTitle', { device }), t('sessions.oneText', { device }), action] as const;
  };
  const [title, text, action] = words();
  return <ConfirmDialog title={title} text={text} action={action} {...answer} />;
};
