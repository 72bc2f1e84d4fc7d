import type { SecondFactorWay } from '@candela/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import column from '../../components/column.module.css';
import { ErrorSummary } from '../../components/error-summary.tsx';
import { Moment } from '../../components/moment.tsx';
import { Phrase } from '../../components/phrase.tsx';
import prose from '../../components/prose.module.css';
import { takeFocus } from '../../components/take-focus.ts';
import type { Problem } from '../../forms/form-errors.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { OtherFactors, SecondFactorField } from '../../second-factor/second-factor-fields.tsx';
import type { SecondFactorEntry } from '../../second-factor/use-second-factor.ts';

/** The recovery waits; whoever finds a second factor need not. `began`: the person has just begun the wait. */
const Waiting = ({ dueAt, began }: { dueAt: string; began: boolean }) => {
  const { t } = useTranslation('security');
  return (
    <div role="status" className={column.form} tabIndex={-1} ref={began ? takeFocus : undefined}>
      <p className={prose.lead}>
        <strong>{t('secondFactor.waitingTitle')}</strong>
      </p>
      <p className={prose.lead}>
        <Phrase text={(when) => t('secondFactor.waiting', { when })}>
          <Moment at={dueAt} show="zoned" />
        </Phrase>
      </p>
      <p className={prose.lead}>{t('secondFactor.waitingOwner')}</p>
    </div>
  );
};

/** Explains what it means to wait, and begins the wait. */
const Wait = ({ ticket, onWaiting }: { ticket: string; onWaiting: (dueAt: string) => void }) => {
  const { t } = useTranslation('security');
  const [problem, setProblem] = useState<Problem>();
  const { busy, run } = useSubmit(async () => {
    setProblem(undefined);
    const { dueAt } = await call('POST /api/recovery/wait', { body: { ticket } });
    onWaiting(dueAt);
  }, setProblem);
  return (
    <div className={column.form}>
      <ErrorSummary errors={problem ? { form: problem } : {}} fields={[]} />
      <p className={prose.lead}>{t('secondFactor.waitText')}</p>
      <Button busy={busy} onClick={() => run()}>
        {t('secondFactor.waitAction')}
      </Button>
    </div>
  );
};

interface SecondFactorOfRecoveryProps {
  ticket: string;
  ways: readonly SecondFactorWay[];
  entry: SecondFactorEntry;
  /** The end of a wait that had begun before. */
  wait: string | undefined;
  onComplete: (code: string) => void;
}

/** The second factor of an account whose password is set anew, and the wait for who has lost all. */
export const SecondFactorOfRecovery = (props: SecondFactorOfRecoveryProps) => {
  const { ticket, ways, entry, wait, onComplete } = props;
  const { t } = useTranslation('security');
  const [dueAt, setDueAt] = useState(wait);
  return (
    <section aria-labelledby="second-factor-title" className={column.form}>
      <h2 id="second-factor-title">{t('secondFactor.title')}</h2>
      <p className={prose.lead}>{t('secondFactor.recoveryText')}</p>
      {dueAt && <Waiting dueAt={dueAt} began={dueAt !== wait} />}
      <SecondFactorField entry={entry} onComplete={onComplete} />
      <OtherFactors
        ways={ways}
        entry={entry}
        lost={dueAt ? undefined : <Wait ticket={ticket} onWaiting={setDueAt} />}
      />
    </section>
  );
};
