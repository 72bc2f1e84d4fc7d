import type { Account, EndpointBody, NamedEndpoint } from '@candela/contract';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api/client.ts';
import { Actions } from '../components/actions.tsx';
import { Button } from '../components/button.tsx';
import prose from '../components/prose.module.css';
import { Dialog } from '../dialog/dialog.tsx';
import { wholeIdentifier } from '../identifier/dial-code.ts';
import type { StepUpQuestion } from './step-up.ts';
import { contactsOf, StepUpByCode } from './step-up-by-code.tsx';
import { StepUpByPassword } from './step-up-by-password.tsx';

interface StepUpDialogProps {
  account: Account;
  question: StepUpQuestion;
}

type Prove = (body: EndpointBody<NamedEndpoint<'POST /api/step-up'>, 'input'>) => Promise<void>;

interface AskProps {
  prove: Prove;
  onCancel: () => void;
}

/** Asks for the password, or a code to one of the account's own contacts. */
const AskWho = ({ account, prove, onCancel }: AskProps & { account: Account }) => {
  const { t } = useTranslation('account');
  const [byCode, setByCode] = useState(!account.hasPassword);
  return (
    <Dialog title={t('settings.stepUp.title')} form onClose={onCancel}>
      <p className={prose.lead}>{t('settings.stepUp.lead')}</p>
      {byCode ? (
        <StepUpByCode
          contacts={contactsOf(account)}
          show={maskIdentifier}
          prove={prove}
          otherWay={
            account.hasPassword
              ? { label: t('settings.stepUp.usePassword'), onPress: () => setByCode(false) }
              : undefined
          }
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

interface AskContactProps extends AskProps {
  contact: string;
  onUnreachable: () => void;
}

/** Asks for a code to the contact that the change removes. */
const AskContact = ({ contact, prove, onUnreachable, onCancel }: AskContactProps) => {
  const { t } = useTranslation('account');
  return (
    <Dialog title={t('settings.contactProof.title')} form onClose={onCancel}>
      <p className={prose.lead}>{t('settings.contactProof.lead')}</p>
      <StepUpByCode
        contacts={[contact]}
        show={wholeIdentifier}
        prove={prove}
        otherWay={{ label: t('settings.contactProof.unreachable'), onPress: onUnreachable }}
        onCancel={onCancel}
      />
    </Dialog>
  );
};

interface AskWaitProps {
  contact: string;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Explains what a waiting change means, and lets the person choose to wait. */
const AskWait = ({ onConfirm, onCancel, ...asked }: AskWaitProps) => {
  const { t } = useTranslation('account');
  const contact = wholeIdentifier(asked.contact);
  return (
    <Dialog title={t('settings.wait.title')} alert onClose={onCancel}>
      <p className={prose.lead}>{t('settings.wait.text', { contact })}</p>
      <p className={prose.lead}>{t('settings.wait.undo', { contact })}</p>
      <Actions>
        <Button onClick={onCancel}>{t('app.cancel')}</Button>
        <Button look="primary" onClick={onConfirm}>
          {t('settings.wait.action')}
        </Button>
      </Actions>
    </Dialog>
  );
};

/** Shows the dialog for a step-up that the server demands. */
export const StepUpDialog = ({ account, question }: StepUpDialogProps) => {
  const { ask, answer } = question;
  const prove: Prove = async (body) => {
    await call('POST /api/step-up', { body });
    answer('confirmed');
  };
  const onCancel = () => answer('given-up');
  if (ask.what === 'who') return <AskWho account={account} prove={prove} onCancel={onCancel} />;
  if (ask.what === 'wait')
    return <AskWait contact={ask.contact} onConfirm={() => answer('confirmed')} onCancel={onCancel} />;
  return (
    <AskContact
      contact={ask.contact}
      prove={prove}
      onUnreachable={() => answer('unreachable')}
      onCancel={onCancel}
    />
  );
};
