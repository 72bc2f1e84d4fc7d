import { useTranslation } from 'react-i18next';
import { Dialog } from '../../flow/dialog/dialog.tsx';
import { wholeIdentifier } from '../../flow/identifier/dial-code.ts';
import prose from '../../shell/components/prose.module.css';
import { ContactCodeStep } from './contact-code-step.tsx';
import { ContactStep } from './contact-step.tsx';
import { type ContactOptions, useContact } from './use-contact.ts';

/** Binds a phone or an e-mail, or replaces the bound identifier once a code has proven the new identifier. */
export const ContactDialog = (options: ContactOptions) => {
  const { t } = useTranslation('account');
  const { account, kind, onClose } = options;
  const contact = useContact(options);
  const bound = account[kind];
  const title = t(`settings.${kind}.${bound ? 'changeTitle' : 'bindTitle'}`);
  const lead = bound
    ? t(`settings.${kind}.changeLead`, { current: wholeIdentifier(bound) })
    : t(`settings.${kind}.bindLead`);
  return (
    <Dialog title={title} form onClose={onClose}>
      {contact.sentTo ? (
        <ContactCodeStep contact={contact} sentTo={contact.sentTo} onCancel={onClose} />
      ) : (
        <>
          <p className={prose.lead}>{lead}</p>
          <ContactStep contact={contact} kind={kind} onCancel={onClose} />
        </>
      )}
    </Dialog>
  );
};
