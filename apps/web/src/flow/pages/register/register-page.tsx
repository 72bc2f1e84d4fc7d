import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { boot } from '../../../shell/boot.ts';
import prose from '../../../shell/components/prose.module.css';
import { gap } from '../../../shell/language/format.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import link from '../../../shell/navigation/link.module.css';
import { Link } from '../../../shell/navigation/link.tsx';
import { AbortLink } from '../../interaction/abort-link.tsx';
import { flowUrl, promptUrl, readFlowState } from '../../interaction/flow-links.ts';
import { InteractionGate, type ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import { NewArrival, ProviderPart, Providers } from '../../providers/providers.tsx';
import { IdentifyStep } from '../../steps/identify-step.tsx';
import { ProveStep } from '../../steps/prove-step.tsx';
import { PasswordStep } from './password-step.tsx';

const Identify = ({ uid, details, fail }: ReadyInteraction) => {
  const { t } = useTranslation();
  const locale = useLocale();
  // From a provider, without a sign-in.
  const isReturned = useSearchParams()[0].has('reason');
  return (
    <IdentifyStep
      title={t('register.title')}
      above={isReturned && <ProviderPart part="notice" height={104} providers={details.providers} />}
      lead={t('register.text', { brand: boot.brand.name })}
      purpose="register"
      here={flowUrl('/register', uid)}
      details={details}
      tail={({ draft, refuse }) => (
        <>
          <Providers uid={uid} details={details} />
          <p className={`${link.links} ${prose.linked}`}>
            <span>
              {t('register.haveAccount')}
              {gap(locale)}
              <Link to={flowUrl('/login', uid)} state={{ draft }}>
                {t('register.signIn')}
              </Link>
            </span>
          </p>
          <AbortLink
            uid={uid}
            details={details}
            onError={(error) => (error.code === 'interaction_expired' ? fail(error) : refuse(error))}
          />
        </>
      )}
    />
  );
};

/** Identifier, code, password, agreements. The steps are history entries, so that Back leads through them. */
export const RegisterPage = () => {
  const { t } = useTranslation();
  const flow = readFlowState(useLocation().state);
  return (
    <InteractionGate title={t('register.title')}>
      {(interaction) => {
        const { details, uid } = interaction;
        if (details.prompt === 'consent') return <Navigate to={promptUrl('consent', uid)} replace />;
        const { provider: arrival } = details;
        // Who came from a provider is known, and owes the second step of a sign-in.
        if (details.secondFactor) return <Navigate to={flowUrl('/login', uid)} replace />;
        if (arrival?.state === 'new') return <NewArrival {...interaction} arrival={arrival} />;
        if (arrival) return <Navigate to={flowUrl('/login', uid)} replace />;
        if (flow.step === 'password' && flow.identifier && flow.ticket) {
          return <PasswordStep {...interaction} identifier={flow.identifier} ticket={flow.ticket} />;
        }
        if (flow.step === 'code' && flow.identifier) {
          const here = flowUrl('/register', uid);
          return <ProveStep {...interaction} here={here} identifier={flow.identifier} />;
        }
        return <Identify {...interaction} />;
      }}
    </InteractionGate>
  );
};
