import { useTranslation } from 'react-i18next';
import { FieldAction } from '../components/field.tsx';

interface SendCodeButtonProps {
  sent: boolean;
  seconds: number;
  busy: boolean;
  onSend: () => void;
}

/** The button that sends a code, and the countdown until it sends another. */
export const SendCodeButton = ({ sent, seconds, busy, onSend }: SendCodeButtonProps) => {
  const { t } = useTranslation();
  const label = () => {
    if (busy) return t('code.sending');
    if (seconds > 0) return t('code.resendIn', { seconds });
    return sent ? t('code.resend') : t('code.send');
  };
  return (
    <FieldAction disabled={seconds > 0} busy={busy} onClick={onSend}>
      {label()}
    </FieldAction>
  );
};
