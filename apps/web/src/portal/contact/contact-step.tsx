import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { IdentifierField } from '../../flow/identifier/identifier-field.tsx';
import { useProblemText } from '../../shell/forms/form-errors.ts';
import { DialogForm } from '../dialog/dialog-form.tsx';
import type { ContactKind, useContact } from './use-contact.ts';

interface ContactStepProps {
  contact: ReturnType<typeof useContact>;
  kind: ContactKind;
  onCancel: () => void;
}

/** Step 1: the person types the new phone or e-mail. */
export const ContactStep = ({ contact, kind, onCancel }: ContactStepProps) => {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const { identifier, identifierInput, errors, start } = contact;
  useEffect(() => identifierInput.current?.focus(), [identifierInput]);

  const problem = errors.identifier;
  const isTaken = problem?.code === 'identifier_taken';
  return (
    <DialogForm
      action={t('code.send')}
      busy={start.busy}
      problem={errors.form}
      onSubmit={start.run}
      onCancel={onCancel}
    >
      <IdentifierField
        id="contact"
        draft={identifier.draft}
        book={identifier.book}
        inputRef={identifierInput}
        error={problem && (isTaken ? t(`settings.${kind}.taken`) : problemText(problem))}
        autoComplete={kind === 'phone' ? 'tel' : 'email'}
        onText={identifier.setText}
        onCountry={identifier.setCountry}
        onEnter={identifier.prepare}
        onBlur={() => {
          if (problem && identifier.looksRight && identifier.current !== contact.refused) contact.clear();
        }}
      />
    </DialogForm>
  );
};
