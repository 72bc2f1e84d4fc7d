import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeEntryField } from '../code-entry/code-entry-field.tsx';
import stack from '../components/stack.module.css';
import { DialogForm } from '../dialog/dialog-form.tsx';
import { gap } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { wholeIdentifier } from '../identifier/dial-code.ts';
import type { useContact } from './use-contact.ts';

interface ContactCodeStepProps {
  contact: ReturnType<typeof useContact>;
  sentTo: string;
  onCancel: () => void;
}

/** Step 2: the code that was sent to what is to be bound. */
export const ContactCodeStep = ({ contact, sentTo, onCancel }: ContactCodeStepProps) => {
  const { t } = useTranslation();
  const locale = useLocale();
  const { entry } = contact;
  useEffect(() => entry.input.current?.focus(), [entry.input]);

  return (
    <>
      <p className={`${stack.lead} ${stack.linked}`}>
        {t('code.sent', { identifier: wholeIdentifier(sentTo) })}
        {gap(locale)}
        <button type="button" className={stack.link} onClick={contact.back}>
          {t('code.change')}
        </button>
      </p>
      <DialogForm
        action={t('settings.confirm')}
        busy={entry.confirm.busy}
        problem={entry.errors.form}
        onSubmit={() => entry.confirm.submit(entry.code)}
        onCancel={onCancel}
      >
        <CodeEntryField id="contact-code" entry={entry} sent />
      </DialogForm>
    </>
  );
};
