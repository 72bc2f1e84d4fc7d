import type { InteractionDetails } from '@candela/contract';
import { RECOVERY_PAGE } from '@candela/contract/pages';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { call } from '../../shell/api/client.ts';
import { Button } from '../../shell/components/button.tsx';
import column from '../../shell/components/column.module.css';
import prose from '../../shell/components/prose.module.css';
import { leaveFor, useSubmit } from '../../shell/forms/use-submit.ts';
import { useLamp } from '../../shell/frame/flow-frame.tsx';
import { gap } from '../../shell/language/format.ts';
import { useLocale } from '../../shell/language/use-locale.ts';
import { Link } from '../../shell/navigation/link.tsx';
import { Checkbox } from '../components/checkbox.tsx';
import { AbortLink } from '../interaction/abort-link.tsx';
import { FlowHeading } from '../interaction/flow-heading.tsx';
import { flowUrl } from '../interaction/flow-links.ts';
import type { ReadyInteraction } from '../interaction/interaction-gate.tsx';
import { OtherFactors } from './second-factor-fields.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { useSecondFactor } from './use-second-factor.ts';

interface SecondStepProps extends ReadyInteraction {
  due: NonNullable<InteractionDetails['secondFactor']>;
}

/** Sends the second factor, and leaves the page when the server accepts it. */
const usePassing = ({ uid, due, reload, fail }: SecondStepProps) => {
  const entry = useSecondFactor(due.ways);
  const [remember, setRemember] = useState(false);
  const [accepted, setAccepted] = useState(false);
  const params = { uid };
  const passing = useSubmit(
    async (code?: string) => {
      const answer = await entry.send(
        (factor) =>
          call('POST /interaction/:uid/second-factor', {
            params,
            body: { ...factor, ...(remember && { remember: true }) },
          }),
        () => call('POST /interaction/:uid/passkey/options', { params }),
        code,
      );
      if (!answer) return;
      setAccepted(true);
      await leaveFor(answer.returnTo);
      setAccepted(false);
    },
    (error) => {
      if (error.code === 'interaction_expired') fail(error);
      // The first step is over: the page begins again with it.
      else if (error.code === 'second_factor_required') reload();
      else entry.refuse(error);
    },
  );
  return { entry, passing, accepted, remember, toggle: () => setRemember(!remember) };
};

/** The second step of a sign-in, after a right password or code. */
export const SecondStep = (props: SecondStepProps) => {
  const { uid, details, due } = props;
  const { t } = useTranslation('security');
  const locale = useLocale();
  const navigate = useNavigate();
  const { entry, passing, accepted, remember, toggle } = usePassing(props);
  useLamp(accepted ? 1 : entry.text ? 0.9 : 0.8);
  const hasProblem = entry.problem !== undefined || entry.formProblem !== undefined;
  return (
    <div className={column.column}>
      <FlowHeading
        title={t('login.title')}
        heading={t('secondFactor.title')}
        invalid={hasProblem}
        details={details}
      />
      {due.identifier && (
        <p className={prose.lead}>{t('secondFactor.text', { identifier: due.identifier })}</p>
      )}
      <SecondFactorForm entry={entry} passing={passing}>
        {entry.way !== 'passkey' && (
          <Checkbox checked={remember} onChange={toggle}>
            {t('secondFactor.remember')}
          </Checkbox>
        )}
      </SecondFactorForm>
      <OtherFactors
        ways={due.ways}
        entry={entry}
        lost={
          <p className={`${prose.lead} ${prose.linked}`}>
            {t('secondFactor.noneText')}
            {gap(locale)}
            <Link to={flowUrl(RECOVERY_PAGE, uid)}>{t('secondFactor.noneAction')}</Link>
          </p>
        }
      />
      <div className={column.tail}>
        <Button
          look="text"
          onClick={() => navigate(flowUrl('/login', uid), { replace: true, state: { another: true } })}
        >
          {t('login.another')}
        </Button>
        <AbortLink uid={uid} details={details} onError={entry.refuse} />
      </div>
    </div>
  );
};
