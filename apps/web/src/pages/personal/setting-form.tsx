import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Actions } from '../../components/actions.tsx';
import { Button } from '../../components/button.tsx';
import { ErrorSummary } from '../../components/error-summary.tsx';
import stack from '../../components/stack.module.css';
import type { Problem } from '../../forms/form-errors.ts';

interface SettingFormProps {
  /** What the button says. */
  action: string;
  busy: boolean;
  /** What is wrong with no field in particular. */
  problem?: Problem | undefined;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}

/** The form of a settings dialog: its fields, and the two answers below. */
export const SettingForm = ({ action, busy, problem, onSubmit, onCancel, children }: SettingFormProps) => {
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
      {children}
      <ErrorSummary errors={problem ? { form: problem } : {}} fields={[]} />
      <Actions>
        <Button onClick={onCancel}>{t('app.cancel')}</Button>
        <Button look="primary" type="submit" busy={busy}>
          {action}
        </Button>
      </Actions>
    </form>
  );
};
