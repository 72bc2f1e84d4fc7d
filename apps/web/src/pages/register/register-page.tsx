import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router-dom';
import { promptUrl, readFlowState } from '../../interaction/flow-links.ts';
import { InteractionGate } from '../../interaction/interaction-gate.tsx';
import { CodeStep } from './code-step.tsx';
import { IdentifyStep } from './identify-step.tsx';
import { PasswordStep } from './password-step.tsx';

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
          return <CodeStep {...interaction} identifier={flow.identifier} />;
        }
        return <IdentifyStep {...interaction} />;
      }}
    </InteractionGate>
  );
};
