import type { DeskSession } from '@candela/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import linkButton from '../../flow/components/link-button.module.css';
import { isGivenUp } from '../../portal/account/step-up.ts';
import { Button } from '../../shell/components/button.tsx';
import { ErrorSummary } from '../../shell/components/error-summary.tsx';
import { PageHeading } from '../../shell/components/page-heading.tsx';
import prose from '../../shell/components/prose.module.css';
import type { Problem } from '../../shell/forms/form-errors.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';
import { Link } from '../../shell/navigation/link.tsx';
import { openDesk } from '../queries.ts';
import styles from './open-desk.module.css';

/** Asks the member of staff to open the desk in this browser. */
export const OpenDesk = ({ desk }: { desk: DeskSession }) => {
  const { t } = useTranslation('desk');
  const [problem, setProblem] = useState<Problem>();
  const { busy, run } = useSubmit(
    async () => {
      setProblem(undefined);
      await openDesk();
    },
    (error) => setProblem(isGivenUp(error) ? undefined : error),
  );
  const lacks = problem?.code === 'factor_missing';
  return (
    <div className={styles.gate}>
      <PageHeading title={t('desk.open.title')} />
      <p className={prose.lead}>{t(`desk.open.${lacks ? 'missing' : 'text'}.${desk.acr}`)}</p>
      <ErrorSummary errors={problem && !lacks ? { form: problem } : {}} fields={[]} />
      {lacks ? (
        <Link className={linkButton.button} to="/index">
          {t('desk.open.settings')}
        </Link>
      ) : (
        <Button look="primary" busy={busy} onClick={() => void run()}>
          {t('desk.open.action')}
        </Button>
      )}
    </div>
  );
};
