import type { Account } from '@candela/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeEntryField } from '../code-entry/code-entry-field.tsx';
import { useCodeEntry } from '../code-entry/use-code-entry.ts';
import { Button } from '../components/button.tsx';
import { ChoiceList } from '../components/choice-list.tsx';
import stack from '../components/stack.module.css';
import { DialogForm } from '../dialog/dialog-form.tsx';

/** Where a code can reach the account's owner. */
export const contactsOf = ({ phone, email }: Account): readonly string[] =>
  [phone, email].filter((contact) => contact !== undefined);

interface StepUpByCodeProps {
  contacts: readonly string[];
  /** How they are written: whole where one of them is what is changed. */
  show: (contact: string) => string;
  prove: (proof: { identifier: string; code: string }) => Promise<void>;
  /** What else can be done than to enter a code. */
  otherWay: { label: string; onPress: () => void } | undefined;
  onCancel: () => void;
}

export const StepUpByCode = (props: StepUpByCodeProps) => {
  const { contacts, show, prove, otherWay, onCancel } = props;
  const { t } = useTranslation();
  const [contact, setContact] = useState(contacts[0] ?? '');
  const entry = useCodeEntry({
    purpose: 'step-up',
    to: contact,
    verify: (code) => prove({ identifier: contact, code }),
  });
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => fields.current?.querySelector<HTMLElement>('input:checked, input')?.focus(), []);

  return (
    <DialogForm
      action={t('settings.confirm')}
      busy={entry.confirm.busy}
      problem={entry.errors.form}
      onSubmit={() => entry.confirm.submit(entry.code)}
      onCancel={onCancel}
    >
      <div className={stack.form} ref={fields}>
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
        <CodeEntryField id="step-up-code" entry={entry} sent={entry.codes.timer !== undefined} />
      </div>
      {otherWay && (
        <div>
          <Button look="text" onClick={otherWay.onPress}>
            {otherWay.label}
          </Button>
        </div>
      )}
    </DialogForm>
  );
};
