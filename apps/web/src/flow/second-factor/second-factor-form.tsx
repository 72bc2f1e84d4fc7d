import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../shell/components/button.tsx';
import column from '../../shell/components/column.module.css';
import { ErrorSummary } from '../../shell/components/error-summary.tsx';
import { SecondFactorField } from './second-factor-fields.tsx';
import type { SecondFactorEntry } from './use-second-factor.ts';

interface SecondFactorFormProps {
  entry: SecondFactorEntry;
  passing: { busy: boolean; run(code?: string): Promise<unknown> };
  /** What stands between the field and the button. */
  children?: ReactNode;
}

/** The field of the second factor with its faults and its button; a whole code is sent at once. */
export const SecondFactorForm = ({ entry, passing, children }: SecondFactorFormProps) => {
  const { t } = useTranslation('security');
  return (
    <form
      className={column.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void passing.run();
      }}
    >
      <ErrorSummary
        errors={entry.formProblem ? { form: entry.formProblem } : {}}
        fields={[]}
        focusKey={entry.refusals}
      />
      <SecondFactorField entry={entry} onComplete={(code) => void passing.run(code)} />
      {children}
      <Button look="primary" type="submit" className={column.submit} busy={passing.busy}>
        {t(entry.way === 'passkey' ? 'secondFactor.usePasskey' : 'secondFactor.submit')}
      </Button>
    </form>
  );
};
