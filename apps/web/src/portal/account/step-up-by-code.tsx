import type { Account } from '@candela/contract';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeEntryField } from '../../flow/code-entry/code-entry-field.tsx';
import { useCodeEntry } from '../../flow/code-entry/use-code-entry.ts';
import column from '../../shell/components/column.module.css';
import { ChoiceList } from '../components/choice-list.tsx';
import { CodeForm } from './code-form.tsx';

/** The identifiers of an account that can receive a code. */
export const contactsOf = ({ phone, email }: Account): readonly string[] =>
  [phone, email].filter((contact) => contact !== undefined);

interface StepUpByCodeProps {
  contacts: readonly string[];
  /** Formats a contact for the screen: whole where the person changes that contact, else masked. */
  show: (contact: string) => string;
  prove: (proof: { identifier: string; code: string }) => Promise<void>;
  /** The alternatives to a code. */
  others: ReactNode;
  onCancel: () => void;
}

/** Asks for a code to one of the contacts. */
export const StepUpByCode = (props: StepUpByCodeProps) => {
  const { contacts, show, prove, others, onCancel } = props;
  const { t } = useTranslation('account');
  const [contact, setContact] = useState(contacts[0] ?? '');
  const entry = useCodeEntry({
    purpose: 'step-up',
    to: contact,
    verify: (code) => prove({ identifier: contact, code }),
  });
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => fields.current?.querySelector<HTMLElement>('input:checked, input')?.focus(), []);

  return (
    <CodeForm entry={entry} onCancel={onCancel}>
      <div className={column.form} ref={fields}>
        {contacts.length > 1 ? (
          <ChoiceList
            name="contact"
            legend={t('settings.stepUp.contacts')}
            choices={contacts.map((value) => ({ value, label: show(value) }))}
            value={contact}
            onChange={(next) => {
              entry.reset();
              setContact(next);
            }}
          />
        ) : (
          <p>{t('settings.stepUp.contact', { contact: show(contact) })}</p>
        )}
        <CodeEntryField id="step-up-code" entry={entry} sent={entry.timer !== undefined} />
      </div>
      {others}
    </CodeForm>
  );
};
