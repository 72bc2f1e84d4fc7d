import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { type ApiError, call } from '../../../shell/api/client.ts';
import { Button } from '../../../shell/components/button.tsx';
import column from '../../../shell/components/column.module.css';
import { ErrorSummary } from '../../../shell/components/error-summary.tsx';
import prose from '../../../shell/components/prose.module.css';
import { type FormErrors, toFormErrors } from '../../../shell/forms/form-errors.ts';
import { leaveFor, useSubmit } from '../../../shell/forms/use-submit.ts';
import { useLamp } from '../../../shell/frame/flow-frame.tsx';
import { AbortLink } from '../../interaction/abort-link.tsx';
import { AccountCard } from '../../interaction/account-card.tsx';
import { FlowHeading } from '../../interaction/flow-heading.tsx';
import { flowUrl } from '../../interaction/flow-links.ts';
import type { ReadyInteraction } from '../../interaction/interaction-gate.tsx';

/** For a person who is signed in already: continues as that account, or signs in with another. */
export const QuickLogin = ({ uid, details, fail }: ReadyInteraction) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [errors, setErrors] = useState<FormErrors<never>>({});
  const { account } = details;

  const refuse = (error: ApiError) => {
    if (error.code === 'interaction_expired') fail(error);
    else setErrors(toFormErrors(error, []));
  };
  const showForm = () => navigate(flowUrl('/login', uid), { state: { another: true } });
  const proceed = useSubmit(
    async () => {
      const { returnTo } = await call('POST /interaction/:uid/continue', { params: { uid } });
      await leaveFor(returnTo);
    },
    // The request demands a new authentication, or the session has ended: sign in within this interaction.
    (error) => (error.code === 'step_up_required' ? showForm() : refuse(error)),
    showForm,
  );
  useLamp(proceed.busy ? 1 : 0.6);

  const name = account?.nickname ?? account?.identifier ?? '';
  return (
    <div className={column.column}>
      <FlowHeading
        title={t('login.title')}
        heading={t('login.continueTitle')}
        invalid={Boolean(errors.form)}
        signsIn
        details={details}
      />
      <ErrorSummary errors={errors} fields={[]} />
      {account ? (
        <>
          <AccountCard account={account} />
          <Button look="primary" busy={proceed.busy} onClick={() => proceed.run()}>
            {t('login.continueAs', { name })}
          </Button>
        </>
      ) : (
        <p className={prose.lead}>{t('login.againText')}</p>
      )}
      <Button look={account ? 'secondary' : 'primary'} onClick={showForm}>
        {account ? t('login.another') : t('login.submit')}
      </Button>
      <AbortLink uid={uid} details={details} onError={refuse} />
    </div>
  );
};
