import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { useCodeEntry } from '../../flow/code-entry/use-code-entry.ts';
import { DialogForm } from '../dialog/dialog-form.tsx';

interface CodeFormProps {
  entry: ReturnType<typeof useCodeEntry>;
  onCancel: () => void;
  /** The `CodeEntryField` and the texts around it. */
  children: ReactNode;
}

/** The form of a dialog that a code confirms. */
export const CodeForm = ({ entry, onCancel, children }: CodeFormProps) => {
  const { t } = useTranslation('account');
  return (
    <DialogForm
      action={t('settings.confirm')}
      busy={entry.confirm.busy}
      problem={entry.errors.form}
      onSubmit={() => entry.confirm.run(entry.code)}
      onCancel={onCancel}
    >
      {children}
    </DialogForm>
  );
};
