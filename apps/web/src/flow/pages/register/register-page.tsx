import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router-dom';
import { call } from '../../../shell/api/client.ts';
import { boot } from '../../../shell/boot.ts';
import prose from '../../../shell/components/prose.module.css';
import { gap } from '../../../shell/language/format.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import link from '../../../shell/navigation/link.module.css';
import { Link } from '../../../shell/navigation/link.tsx';
import { CodeStep } from '../../code-entry/code-step.tsx';
import { IdentifyStep } from '../../code-entry/identify-step.tsx';
import { wholeIdentifier } from '../../identifier/dial-code.ts';
import { AbortLink } from '../../interaction/abort-link.tsx';
import { flowUrl, promptUrl, readFlowState } from '../../interaction/flow-links.ts';
import { InteractionGate, type ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import { PasswordStep } from './password-step.tsx';

const Identify = ({ uid, details, fail }: ReadyInteraction) => {
  const { t } = useTranslation();
  const locale = useLocale();
  return (
    <IdentifyStep
      title={t('register.title')}
      lead={t('register.text', { brand: boot.brand.name })}
      purpose="register"
      here={flowUrl('/register', uid)}
      details={details}
      tail={({ draft, refuse }) => (
        <>
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

const Prove = ({ uid, details, fail, identifier }: ReadyInteraction & { identifier: string }) => {
  const { t } = useTranslation();
  return (
    <CodeStep
      title={t('register.title')}
      lead={t('register.codeText', { identifier: wholeIdentifier(identifier) })}
      action={t('register.confirm')}
      purpose="register"
      here={flowUrl('/register', uid)}
      identifier={identifier}
      details={details}
      fail={fail}
      verify={async (code) => {
        const body = { identifier, code, purpose: 'register' as const };
        const { ticket } = await call('POST /interaction/:uid/verify', { params: { uid }, body });
        return { ticket };
      }}
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
        if (flow.step === 'password' && flow.identifier && flow.ticket) {
          return <PasswordStep {...interaction} identifier={flow.identifier} ticket={flow.ticket} />;
        }
        if (flow.step === 'code' && flow.identifier) {
          return <Prove {...interaction} identifier={flow.identifier} />;
        }
        return <Identify {...interaction} />;
      }}
    </InteractionGate>
  );
};
