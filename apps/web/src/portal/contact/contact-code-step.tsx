import { useTranslation } from 'react-i18next';
import { CodeEntryField } from '../../flow/code-entry/code-entry-field.tsx';
import { wholeIdentifier } from '../../flow/identifier/dial-code.ts';
import prose from '../../shell/components/prose.module.css';
import { useFirstFocus } from '../../shell/forms/use-first-focus.ts';
import { gap } from '../../shell/language/format.ts';
import { useLocale } from '../../shell/language/use-locale.ts';
import link from '../../shell/navigation/link.module.css';
import { CodeForm } from '../account/code-form.tsx';
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
  useFirstFocus(() => entry.input.current);

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
