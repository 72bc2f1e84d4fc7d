import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { OnlyField } from '../../flow/components/field.tsx';
import { Actions } from '../../shell/components/actions.tsx';
import { Button } from '../../shell/components/button.tsx';
import column from '../../shell/components/column.module.css';
import { ErrorSummary } from '../../shell/components/error-summary.tsx';
import type { Problem } from '../../shell/forms/form-errors.ts';

interface DialogFormProps {
  /** The label of the button. */
  action: string;
  busy: boolean;
  /** The error of the whole form. */
  problem?: Problem | undefined;
  /** The error summary of a form of several fields. */
  summary?: ReactNode;
  onSubmit: () => void;
  onCancel: () => void;
  /** The fields and the texts around them. */
  children: ReactNode;
}

/** The form of a dialog: a field, or several fields with a `summary`, and the two buttons below. */
export const DialogForm = (props: DialogFormProps) => {
  const { action, busy, problem, summary, onSubmit, onCancel, children } = props;
  const { t } = useTranslation();
  return (
    <form
      className={column.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {summary ?? <ErrorSummary errors={problem ? { form: problem } : {}} fields={[]} />}
      <OnlyField value={!summary}>{children}</OnlyField>
      <Actions>
        <Button onClick={onCancel}>{t('app.cancel')}</Button>
        <Button look="primary" type="submit" busy={busy}>
          {action}
        </Button>
      </Actions>
    </form>
  );
};
