import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import column from '../../components/column.module.css';
import { ErrorSummary } from '../../components/error-summary.tsx';
import styles from './registration-form.module.css';
import type { Registration } from './use-registration.ts';

interface RegistrationFormProps {
  form: Registration;
  /** What the ids of the controls begin with. */
  prefix: string;
  action: string;
  look?: 'primary' | 'secondary';
  onSubmit: () => void;
  children: ReactNode;
}

/** The id of the control of a field. */
export const idOf = (prefix: string, field: string): string => `${prefix}-${field.replaceAll('.', '-')}`;

/** A form of metadata, with a summary of its problems at the top. */
export const RegistrationForm = (props: RegistrationFormProps) => {
  const { form, prefix, action, look = 'secondary', onSubmit, children } = props;
  const { problems, fields, refusals, busy } = form;
  // A problem of a field that the person has just left stands at the field alone.
  const listed = refusals > 0 ? Object.entries(problems) : [];
  const place = (field: string) => (field === 'form' ? field : idOf(prefix, field));
  return (
    <form
      className={column.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <ErrorSummary
        errors={Object.fromEntries(listed.map(([field, found]) => [place(field), found]))}
        fields={fields.map(place)}
        focusKey={refusals}
      />
      {children}
      <Button className={styles.submit} look={look} type="submit" busy={busy}>
        {action}
      </Button>
    </form>
  );
};
