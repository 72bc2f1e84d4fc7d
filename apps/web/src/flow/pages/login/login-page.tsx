import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useSearchParams } from 'react-router-dom';
import { bring } from '../../../shell/bring.ts';
import { ChunkBoundary } from '../../../shell/chunk/chunk-boundary.tsx';
import { partWithTexts } from '../../../shell/part-with-texts.ts';
import { promptUrl, readFlowState } from '../../interaction/flow-links.ts';
import { InteractionGate } from '../../interaction/interaction-gate.tsx';
import { NewArrival } from '../../providers/providers.tsx';
import { QuickLogin } from './quick-login.tsx';
import { SignIn } from './sign-in.tsx';

const SecondStep = partWithTexts(
  'security',
  async () => (await bring(() => import('../../second-factor/second-step.tsx'))).SecondStep,
);

export const LoginPage = () => {
  const { t } = useTranslation();
  // A person who asked for the form or typed in it comes back to the form. Back leads to the quick login.
  const { another, draft, changed } = readFlowState(useLocation().state);
  const [search] = useSearchParams();
  // From a provider, without a sign-in.
  const returned = search.has('reason');
  return (
    <InteractionGate title={t('login.title')}>
      {(interaction) => {
        const { details, uid } = interaction;
        if (details.prompt === 'consent') return <Navigate to={promptUrl('consent', uid)} replace />;
        const { secondFactor } = details;
        if (secondFactor && !another)
          return (
            <ChunkBoundary>
              <SecondStep {...interaction} due={secondFactor} />
            </ChunkBoundary>
          );
        const { provider: arrival } = details;
        if (arrival?.state === 'new') return <NewArrival {...interaction} arrival={arrival} />;
        const wantsForm = another || draft || changed || arrival || returned;
        if (details.prompt === 'select_account' && !wantsForm) return <QuickLogin {...interaction} />;
        return <SignIn {...interaction} returned={returned} />;
      }}
    </InteractionGate>
  );
};
