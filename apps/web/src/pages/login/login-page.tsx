import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router-dom';
import { promptUrl } from '../../interaction/flow-links.ts';
import { InteractionGate } from '../../interaction/interaction-gate.tsx';
import { QuickLogin } from './quick-login.tsx';
import { SignIn } from './sign-in.tsx';

export const LoginPage = () => {
  const { t } = useTranslation();
  return (
    <InteractionGate title={t('login.title')}>
      {(interaction) => {
        const { details, uid } = interaction;
        if (details.prompt === 'consent') return <Navigate to={promptUrl('consent', uid)} replace />;
        if (details.prompt === 'select_account') return <QuickLogin {...interaction} />;
        return <SignIn {...interaction} />;
      }}
    </InteractionGate>
  );
};
