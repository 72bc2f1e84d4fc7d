import type { ProviderArrival } from '@candela/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { type ApiError, call } from '../../shell/api/client.ts';
import { boot } from '../../shell/boot.ts';
import { Button } from '../../shell/components/button.tsx';
import column from '../../shell/components/column.module.css';
import { ErrorSummary } from '../../shell/components/error-summary.tsx';
import prose from '../../shell/components/prose.module.css';
import { type FormErrors, toFormErrors } from '../../shell/forms/form-errors.ts';
import { useLamp } from '../../shell/frame/flow-frame.tsx';
import { wholeIdentifier } from '../identifier/dial-code.ts';
import { AbortLink } from '../interaction/abort-link.tsx';
import { FlowHeading } from '../interaction/flow-heading.tsx';
import { flowUrl, readFlowState } from '../interaction/flow-links.ts';
import type { ReadyInteraction } from '../interaction/interaction-gate.tsx';
import { RegistrationDialogs } from '../registration/registration-dialogs.tsx';
import { type Proven, useRegistration } from '../registration/use-registration.ts';
import { IdentifyStep } from '../steps/identify-step.tsx';
import { ProveStep } from '../steps/prove-step.tsx';
import { useDrop } from './use-drop.ts';
import { WhoCame } from './who-came.tsx';

interface NewArrivalProps extends ReadyInteraction {
  arrival: ProviderArrival;
}

/** Creates the account for who came, with a contact that the person typed and proved, or without. */
const useArrival = (
  { arrival, ...interaction }: NewArrivalProps,
  proven: Proven | undefined,
  first?: 'terms',
) => {
  const { uid, reload } = interaction;
  const navigate = useNavigate();
  return useRegistration<never>(interaction, {
    proven,
    fields: [],
    first,
    send: (agreements, by) =>
      call('POST /interaction/:uid/provider', { params: { uid }, body: { agreements, ...by } }),
    handles: ({ code }) => {
      const isElsewhere = code === 'provider_expired';
      // Nobody waits here any more: the form says so, and has the other ways.
      if (isElsewhere)
        navigate(`${flowUrl('/login', uid)}&provider=${arrival.id}&reason=${code}`, { replace: true });
      if (isElsewhere || code === 'second_factor_required') reload();
      return isElsewhere || code === 'second_factor_required';
    },
  });
};

/** The ways out of every step: an account that the person has, and back to the app. */
const Others = ({ onError, ...interaction }: ReadyInteraction & { onError: (error: ApiError) => void }) => {
  const { t } = useTranslation('providers');
  const { uid, details, fail } = interaction;
  const refuse = (error: ApiError) => (error.code === 'interaction_expired' ? fail(error) : onError(error));
  const dropping = useDrop(interaction, refuse);
  return (
    <>
      <Button look="text" busy={dropping.busy} onClick={() => dropping.run()}>
        {t('provider.haveAccount')}
      </Button>
      <AbortLink uid={uid} details={details} onError={refuse} />
    </>
  );
};

/** The last step: the agreements are asked for at once, and one press creates the account. */
const Agree = ({ proven, ...props }: NewArrivalProps & { proven?: Proven }) => {
  const { t } = useTranslation('providers');
  const { arrival, details } = props;
  const [failed, setFailed] = useState<FormErrors<never>>({});
  const registration = useArrival(props, proven, 'terms');
  useLamp(registration.done ? 1 : 0.8);
  const form = registration.errors.form ?? failed.form;
  const email = proven?.identifier ?? arrival.email;
  return (
    <div className={column.column}>
      <FlowHeading
        title={t('register.title')}
        heading={t('provider.newTitle')}
        invalid={Boolean(form)}
        details={details}
      />
      <WhoCame arrival={arrival} />
      <p className={prose.lead}>{t('provider.newText', { name: arrival.name, brand: boot.brand.name })}</p>
      {email && <p className={prose.lead}>{t('provider.gets', { contact: wholeIdentifier(email) })}</p>}
      <ErrorSummary errors={form ? { form } : {}} fields={[]} />
      <Button look="primary" busy={registration.register.busy} onClick={registration.openTerms}>
        {t('register.submit')}
      </Button>
      <div className={column.tail}>
        <Others {...props} onError={(error) => setFailed(toFormErrors(error, []))} />
      </div>
      <RegistrationDialogs
        registration={registration}
        identifier={proven?.identifier ?? ''}
        details={details}
        who={<WhoCame arrival={arrival} />}
      />
    </div>
  );
};

/** Asks for a phone or e-mail, which the person may leave out: the provider stays a way in. */
const Identify = ({ here, ...props }: NewArrivalProps & { here: string }) => {
  const { t } = useTranslation('providers');
  const { arrival, details } = props;
  const { name, email } = arrival;
  const registration = useArrival(props, undefined);
  const { form } = registration.errors;
  return (
    <>
      <IdentifyStep
        title={t('register.title')}
        heading={t('provider.newTitle')}
        above={<WhoCame arrival={arrival} />}
        lead={t('provider.addText', { name, brand: boot.brand.name })}
        purpose="register"
        here={here}
        details={{ ...details, ...(email && { loginHint: email }) }}
        tail={({ refuse }) => (
          <>
            <ErrorSummary errors={form ? { form } : {}} fields={[]} />
            <Button busy={registration.register.busy} onClick={registration.openTerms}>
              {t('provider.without')}
            </Button>
            <Others {...props} onError={refuse} />
          </>
        )}
      />
      <RegistrationDialogs
        registration={registration}
        identifier=""
        details={details}
        who={<WhoCame arrival={arrival} />}
      />
    </>
  );
};

/** Who came from a provider and has no account: the agreements, and before them a contact where none is proven. */
export const NewArrival = (props: NewArrivalProps) => {
  const { pathname, state } = useLocation();
  const { step, identifier, ticket } = readFlowState(state);
  const here = flowUrl(pathname, props.uid);
  if (props.arrival.emailProven) return <Agree {...props} />;
  if (step === 'password' && identifier && ticket)
    return <Agree {...props} proven={{ identifier, ticket }} />;
  if (step === 'code' && identifier) return <ProveStep {...props} here={here} identifier={identifier} />;
  return <Identify {...props} here={here} />;
};
