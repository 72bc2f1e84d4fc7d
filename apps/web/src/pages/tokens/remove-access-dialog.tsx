import type { Authorization } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { type ConfirmAnswer, ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useDeviceName } from '../../components/device-facts.tsx';
import { formatMoment } from '../../i18n/format.ts';
import { useLocale } from '../../i18n/use-locale.ts';

interface RemoveAccessDialogProps {
  target: Authorization | 'all';
  /** The same app was approved more than once, for two homes for example. */
  isOneOfSeveral: boolean;
  answer: ConfirmAnswer;
}

/** Says what stops working, and which approval it is where an app has several. */
export const RemoveAccessDialog = ({ target, isOneOfSeveral, answer }: RemoveAccessDialogProps) => {
  const { t } = useTranslation();
  const deviceName = useDeviceName();
  const locale = useLocale();
  const words = () => {
    if (target === 'all') return [t('tokens.allTitle'), t('tokens.allText'), t('tokens.removeAll')] as const;
    const app = target.client.name;
    const text = isOneOfSeveral
      ? t('tokens.oneOfText', {
          app,
          date: formatMoment(new Date(target.createdAt), locale, { zone: false }),
          device: deviceName(target),
        })
      : t('tokens.oneText', { app });
    return [t('tokens.oneTitle', { app }), text, t('tokens.remove')] as const;
  };
  const [title, text, action] = words();
  return <ConfirmDialog title={title} text={text} action={action} {...answer} />;
};
