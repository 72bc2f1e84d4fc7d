import type { Authorization } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { useDeviceName } from '../../../flow/components/use-device-name.ts';
import { formatMoment } from '../../../shell/language/format.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import { type ConfirmAnswer, ConfirmDialog } from '../../dialog/confirm-dialog.tsx';

interface RemoveAccessDialogProps {
  target: Authorization | 'all';
  /** The account has approved the app more than once, for example for two homes. */
  isOneOfSeveral: boolean;
  answer: ConfirmAnswer;
}

/** Asks for a confirmation before an approval ends. Identifies the approval where the app has several. */
export const RemoveAccessDialog = ({ target, isOneOfSeveral, answer }: RemoveAccessDialogProps) => {
  const { t } = useTranslation('security');
  const deviceName = useDeviceName();
  const locale = useLocale();
  const textOf = ({ client: { name: app }, createdAt, browser, os, label }: Authorization) => {
    if (!isOneOfSeveral) return t('tokens.oneText', { app });
    if (label) return t('links.oneOfNamedText', { app, label });
    const date = formatMoment(new Date(createdAt), locale, { zone: false });
    if (!browser.name) return t('tokens.oneOfUnknownText', { app, date });
    return t('tokens.oneOfText', { app, date, device: deviceName({ browser, os }) });
  };
  const words = () => {
    if (target === 'all') return [t('tokens.allTitle'), t('tokens.allText'), t('tokens.removeAll')] as const;
    const app = target.client.name;
    return [t('tokens.oneTitle', { app }), textOf(target), t('tokens.remove')] as const;
  };
  const [title, text, action] = words();
  return <ConfirmDialog title={title} text={text} action={action} {...answer} />;
};
