import type { SecondFactorWay } from '@candela/contract';
import { RECOVERY_PAGE } from '@candela/contract/pages';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { call } from '../../../shell/api/client.ts';
import { Button } from '../../../shell/components/button.tsx';
import column from '../../../shell/components/column.module.css';
import { ErrorSummary } from '../../../shell/components/error-summary.tsx';
import prose from '../../../shell/components/prose.module.css';
import type { Problem } from '../../../shell/forms/form-errors.ts';
import { useSubmit } from '../../../shell/forms/use-submit.ts';
import { useLamp } from '../../../shell/frame/flow-frame.tsx';
import { Moment } from '../../components/moment.tsx';
import { Phrase } from '../../components/phrase.tsx';
import { takeFocus } from '../../components/take-focus.ts';
import { FlowHeading } from '../../interaction/flow-heading.tsx';
import { flowUrl, readFlowState } from '../../interaction/flow-links.ts';
import { ProvenIdentifier } from '../../interaction/proven-identifier.tsx';
import { OtherFactors } from '../../second-factor/second-factor-fields.tsx';
import { SecondFactorForm } from '../../second-factor/second-factor-form.tsx';
import { useSecondFactor } from '../../second-factor/use-second-factor.ts';
import { toReviewState } from './review-state.ts';
import type { Background } from './use-background.ts';

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

interface SecondFactorOfRecoveryProps extends Background {
  identifier: string;
  ticket: string;
  ways: readonly SecondFactorWay[];
  /** The end of a wait that had begun before. */
  wait: string | undefined;
}

/** Proves the factor, and goes on to the new password with what that may remove. */
const usePassing = ({ uid, identifier, ticket, ways }: SecondFactorOfRecoveryProps) => {
  const navigate = useNavigate();
  const { draft } = readFlowState(useLocation().state);
  const entry = useSecondFactor(ways);
  const goOn = (state: object) =>
    navigate(flowUrl(RECOVERY_PAGE, uid), { replace: true, state: { draft, identifier, ...state } });
  const passing = useSubmit(
    async (code?: string) => {
      const review = await entry.send(
        (factor) => call('POST /api/recovery/factor', { body: { ticket, ...factor } }),
        () => call('POST /api/recovery/options', { body: { ticket } }),
        code,
      );
      if (review) goOn({ step: 'password', ticket, ...toReviewState(review) });
    },
    (error) => {
      if (error.code === 'ticket_invalid') goOn({ step: 'code', expired: true });
      // The factor was switched off meanwhile.
      else if (error.code === 'not_found') goOn({ step: 'password', ticket });
      else entry.refuse(error);
    },
  );
  return { entry, passing, draft };
};

/** Step 3 of an account with a second factor: it opens the new password. Who has lost all begins to wait. */
export const SecondFactorOfRecovery = (props: SecondFactorOfRecoveryProps) => {
  const { uid, details, identifier, ticket, ways, wait } = props;
  const { t } = useTranslation('security');
  const [dueAt, setDueAt] = useState(wait);
  const { entry, passing, draft } = usePassing(props);
  useLamp(entry.text ? 0.7 : 0.6);
  return (
    <div className={column.column}>
      <FlowHeading
        title={t('recovery.title')}
        heading={t('secondFactor.title')}
        invalid={entry.problem !== undefined || entry.formProblem !== undefined}
        details={details}
      />
      <ProvenIdentifier identifier={identifier} page={flowUrl(RECOVERY_PAGE, uid)} draft={draft} />
      <p className={prose.lead}>{t('secondFactor.recoveryText')}</p>
      {dueAt && <Waiting dueAt={dueAt} began={dueAt !== wait} />}
      <SecondFactorForm entry={entry} passing={passing} />
      <OtherFactors
        ways={ways}
        entry={entry}
        lost={dueAt ? undefined : <Wait ticket={ticket} onWaiting={setDueAt} />}
      />
    </div>
  );
};
