import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Problem } from '../forms/form-errors.ts';
import { Actions } from './actions.tsx';
import { Button } from './button.tsx';
import { ErrorSummary } from './error-summary.tsx';
import { OnlyField } from './field.tsx';
import stack from './stack.module.css';

interface DialogFormProps {
  /** What the button says. */
  action: string;
  busy: boolean;
  /** What is wrong with no field in particular. */
  problem?: Problem | undefined;
  onSubmit: () => void;
  onCancel: () => void;
  /** One field to fill in, and what belongs to it. */
  children: ReactNode;
}

/** The form of a dialog: its field, and the two answers below. */
export const DialogForm = ({ action, busy, problem, onSubmit, onCancel, children }: DialogFormProps) => {
  const { t } = useTranslation();
  return (
    <form
      className={stack.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <ErrorSummary errors={problem ? { form: problem } : {}} fields={[]} />
      <OnlyField value={true}>{children}</OnlyField>
      <Actions>
        <Button onClick={onCancel}>{t('app.cancel')}</Button>
        <Button look="primary" type="submit" busy={busy}>
          {action}
        </Button>
      </Actions>
    </form>
  );
};
