import type { Account, EndpointBody, NamedEndpoint } from '@candela/contract';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../flow/dialog/dialog.tsx';
import { wholeIdentifier } from '../../flow/identifier/dial-code.ts';
import { canUsePasskeys } from '../../flow/passkey/passkey-support.ts';
import { call } from '../../shell/api/client.ts';
import { Actions } from '../../shell/components/actions.tsx';
import { Button } from '../../shell/components/button.tsx';
import column from '../../shell/components/column.module.css';
import prose from '../../shell/components/prose.module.css';
import type { StepUpQuestion } from './step-up.ts';
import { contactsOf, StepUpByCode } from './step-up-by-code.tsx';
import { StepUpByPasskey } from './step-up-by-passkey.tsx';
import { StepUpByPassword } from './step-up-by-password.tsx';
import { StepUpBySignIn } from './step-up-by-sign-in.tsx';
import { StepUpByTotp } from './step-up-by-totp.tsx';

interface StepUpDialogProps {
  account: Account;
  question: StepUpQuestion;
}

type Prove = (body: EndpointBody<NamedEndpoint<'POST /api/step-up'>, 'input'>) => Promise<void>;

interface AskProps {
  prove: Prove;
  onCancel: () => void;
}

type Way = 'password' | 'code' | 'passkey' | 'totp';

/** The ways that the account has, the strongest first. */
const waysOf = (account: Account): Way[] => [
  ...(account.ways?.passkey && canUsePasskeys() ? ['passkey' as const] : []),
  ...(account.ways?.totp ? ['totp' as const] : []),
  ...(account.hasPassword ? ['password' as const] : []),
  ...(contactsOf(account).length > 0 ? ['code' as const] : []),
];

/** A password or a code does not open the second step itself. */
const isFactor = (way: Way): boolean => way === 'passkey' || way === 'totp';

const otherWays = {
  passkey: 'secondFactor.usePasskey',
  totp: 'secondFactor.useTotp',
  password: 'settings.stepUp.usePassword',
  code: 'settings.stepUp.useCode',
} as const satisfies Record<Way, string>;

interface AskWhoProps extends AskProps {
  /** In the order of the buttons. */
  ways: readonly Way[];
  first: Way;
  account: Account;
  /** To which a code may be sent. */
  contacts: readonly string[];
  lead: 'settings.stepUp.lead' | 'settings.stepUp.oldest' | 'settings.stepUp.oldestOnly';
}

/** Asks for a proof that the account has. */
const AskWho = ({ ways, first, account, contacts, lead, prove, onCancel }: AskWhoProps) => {
  const { t } = useTranslation('security');
  const [way, setWay] = useState<Way>(first);
  const others = (
    <div className={column.tail}>
      {ways
        .filter((other) => other !== way)
        .map((other) => (
          <Button key={other} look="text" onClick={() => setWay(other)}>
            {t(otherWays[other])}
          </Button>
        ))}
    </div>
  );
  const asked = { prove, others, onCancel };
  return (
    <Dialog title={t('settings.stepUp.title')} form onClose={onCancel}>
      <p className={prose.lead}>{t(lead)}</p>
      {way === 'code' && <StepUpByCode contacts={contacts} show={maskIdentifier} {...asked} />}
      {way === 'password' && <StepUpByPassword username={account.email ?? account.phone ?? ''} {...asked} />}
      {way === 'totp' && <StepUpByTotp {...asked} />}
      {way === 'passkey' && <StepUpByPasskey {...asked} />}
    </Dialog>
  );
};

interface AskContactProps extends AskProps {
  contact: string;
  onUnreachable: () => void;
}

/** Asks for a code to the contact that the change removes. */
const AskContact = ({ contact, prove, onUnreachable, onCancel }: AskContactProps) => {
  const { t } = useTranslation('security');
  return (
    <Dialog title={t('settings.contactProof.title')} form onClose={onCancel}>
      <p className={prose.lead}>{t('settings.contactProof.lead')}</p>
      <StepUpByCode
        contacts={[contact]}
        show={wholeIdentifier}
        prove={prove}
        others={
          <div>
            <Button look="text" onClick={onUnreachable}>
              {t('settings.contactProof.unreachable')}
            </Button>
          </div>
        }
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
  const { t } = useTranslation('security');
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
  const ways = waysOf(account);
  const asked = { account, prove, onCancel };
  const anyone = { ...asked, contacts: contactsOf(account), lead: 'settings.stepUp.lead' } as const;
  const usual = account.hasPassword ? 'password' : ways.at(-1);
  if (!usual) return <StepUpBySignIn text="settings.stepUp.againText" onCancel={onCancel} />;
  if (ask.what === 'who') return <AskWho ways={ways} first={usual} {...anyone} />;
  if (ask.what === 'factor') {
    const factors = ways.filter(isFactor);
    return <AskWho ways={factors} first={factors.at(-1) ?? 'totp'} {...anyone} />;
  }
  if (ask.what === 'oldest') {
    const { phone, email } = account;
    const contacts = contactsOf({
      ...account,
      phone: ask.by.includes('phone') ? phone : undefined,
      email: ask.by.includes('email') ? email : undefined,
    });
    const offered: readonly Way[] = [
      ...(ask.by.includes('passkey') ? ways.filter((way) => way === 'passkey') : []),
      ...(contacts.length > 0 ? ['code' as const] : []),
    ];
    if (offered.length === 0) return <StepUpBySignIn text="settings.stepUp.oldestText" onCancel={onCancel} />;
    const first = contacts.length > 0 ? 'code' : 'passkey';
    // The last contact of an account cannot be unbound.
    const lead = contactsOf(account).length > 1 ? 'settings.stepUp.oldest' : 'settings.stepUp.oldestOnly';
    return <AskWho ways={offered} first={first} {...asked} contacts={contacts} lead={lead} />;
  }
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
