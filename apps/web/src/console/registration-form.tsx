import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { OnlyField } from '../flow/components/field.tsx';
import { Button } from '../shell/components/button.tsx';
import column from '../shell/components/column.module.css';
import { ErrorSummary } from '../shell/components/error-summary.tsx';
import { onlyFault } from '../shell/forms/only-fault.ts';
import styles from './registration-form.module.css';
import type { Registration } from './use-registration.ts';

interface RegistrationFormProps {
  form: Registration;
  /** What the ids of the controls begin with. */
  prefix: string;
  action: string;
  look?: 'primary' | 'secondary';
  /** The form holds what is not saved, so nothing leads away from it. */
  edited: boolean;
  /** Who reads the form may not change what it shows. */
  locked?: boolean;
  onSubmit: () => void;
  children: ReactNode;
}

/** The id of the control of a field. */
export const idOf = (prefix: string, field: string): string => `${prefix}-${field.replaceAll('.', '-')}`;

/** A form of metadata, with a summary of its problems at the top. */
export const RegistrationForm = (props: RegistrationFormProps) => {
  const { form, prefix, action, look = 'secondary', edited, locked = false, onSubmit, children } = props;
  const { t } = useTranslation();
  const { problems, fields, refusals, busy } = form;
  // A problem of a field that the person has just left stands at the field alone.
  const listed = refusals > 0 ? Object.entries(problems) : [];
  const fieldset = <OnlyField value={onlyFault(problems) !== undefined}>{children}</OnlyField>;
  const place = (field: string) => (field === 'form' ? field : idOf(prefix, field));
  return (
    <form
      className={column.form}
      noValidate
      data-edited={edited || undefined}
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
      {problems.form?.code === 'not_signed_in' && (
        <a href="/developers" target="_blank" rel="noopener">
          {t('login.submit')} <span className="visually-hidden">{t('app.newTab')}</span>
        </a>
      )}
      {locked ? (
        <fieldset className={`${column.form} ${styles.locked}`} disabled>
          {fieldset}
        </fieldset>
      ) : (
        <>
          {fieldset}
          <Button className={styles.submit} look={look} type="submit" busy={busy}>
            {action}
          </Button>
        </>
      )}
    </form>
  );
};
