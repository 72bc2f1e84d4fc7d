import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { TotpForm } from './totp-form.tsx';

interface StepUpByTotpProps {
  prove: (proof: { totp: string }) => Promise<void>;
  /** The other ways that the account has. */
  others: ReactNode;
  onCancel: () => void;
}

/** Asks for a code of the authenticator app. */
export const StepUpByTotp = ({ prove, others, onCancel }: StepUpByTotpProps) => {
  const { t } = useTranslation('security');
  return (
    <TotpForm
      id="step-up-totp"
      action={t('settings.confirm')}
      hint={t('secondFactor.totpHint')}
      focused
      send={(totp) => prove({ totp })}
      onCancel={onCancel}
    >
      {others}
    </TotpForm>
  );
};
