import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeEntryField } from '../code-entry/code-entry-field.tsx';
import prose from '../components/prose.module.css';
import { gap } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { wholeIdentifier } from '../identifier/dial-code.ts';
import link from '../navigation/link.module.css';
import { CodeForm } from './code-form.tsx';
import type { useContact } from './use-contact.ts';

interface ContactCodeStepProps {
  contact: ReturnType<typeof useContact>;
  sentTo: string;
  onCancel: () => void;
}

/** Step 2: the code that was sent to the new phone or e-mail. */
export const ContactCodeStep = ({ contact, sentTo, onCancel }: ContactCodeStepProps) => {
  const { t } = useTranslation('account');
  const locale = useLocale();
  const { entry } = contact;
  useEffect(() => entry.input.current?.focus(), [entry.input]);

  return (
    <>
      <p className={`${prose.lead} ${prose.linked}`}>
        {t('code.sent', { identifier: wholeIdentifier(sentTo) })}
        {gap(locale)}
        <button type="button" className={link.link} onClick={contact.back}>
          {t('code.change')}
        </button>
      </p>
      <CodeForm entry={entry} onCancel={onCancel}>
        <CodeEntryField id="contact-code" entry={entry} sent />
      </CodeForm>
    </>
  );
};
