import { type Account, accountApi, type EndpointBody } from '@candela/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api/client.ts';
import { Dialog } from '../components/dialog.tsx';
import stack from '../components/stack.module.css';
import { contactsOf, StepUpByCode } from './step-up-by-code.tsx';
import { StepUpByPassword } from './step-up-by-password.tsx';

interface StepUpDialogProps {
  account: Account;
  onAnswer: (confirmed: boolean) => void;
}

/** Asks for the password, or a code to one of the account's own contacts. */
export const StepUpDialog = ({ account, onAnswer }: StepUpDialogProps) => {
  const { t } = useTranslation();
  const [byCode, setByCode] = useState(!account.hasPassword);
  const prove = async (body: EndpointBody<typeof accountApi.stepUp, 'input'>) => {
    await call(accountApi.stepUp, { body });
    onAnswer(true);
  };
  const onCancel = () => onAnswer(false);
  return (
    <Dialog title={t('settings.stepUp.title')} form onClose={onCancel}>
      <p className={stack.lead}>{t('settings.stepUp.lead')}</p>
      {byCode ? (
        <StepUpByCode
          contacts={contactsOf(account)}
          prove={prove}
          onPassword={account.hasPassword ? () => setByCode(false) : undefined}
          onCancel={onCancel}
        />
      ) : (
        <StepUpByPassword
          username={account.email ?? account.phone ?? ''}
          prove={prove}
          onCode={() => setByCode(true)}
          onCancel={onCancel}
        />
      )}
    </Dialog>
  );
};
