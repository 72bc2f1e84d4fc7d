import { RECOVERY_PAGE } from '@candela/contract/pages';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { call } from '../../../shell/api/client.ts';
import { boot } from '../../../shell/boot.ts';
import { bring } from '../../../shell/bring.ts';
import { ChunkBoundary } from '../../../shell/chunk/chunk-boundary.tsx';
import { part } from '../../../shell/chunk/part.tsx';
import { Skeleton } from '../../../shell/components/skeleton.tsx';
import link from '../../../shell/navigation/link.module.css';
import { Link } from '../../../shell/navigation/link.tsx';
import { partWithTexts } from '../../../shell/part-with-texts.ts';
import { wholeIdentifier } from '../../identifier/dial-code.ts';
import { flowUrl, readFlowState } from '../../interaction/flow-links.ts';
import { CodeStep } from '../../steps/code-step.tsx';
import { IdentifyStep } from '../../steps/identify-step.tsx';
import { toReviewState } from './review-state.ts';
import { readFactors, readWait } from './second-factors.ts';
import { type Background, useBackground } from './use-background.ts';

const waiting = () => <Skeleton heights={[66, 72, 72, 48]} />;

/** The code has to be right first: until then these steps are not loaded. */
const PasswordStep = part(
  async () => (await bring(() => import('./password-step.tsx'))).PasswordStep,
  waiting,
);

const SecondFactorOfRecovery = partWithTexts(
  'security',
  async () => (await bring(() => import('./second-factor-of-recovery.tsx'))).SecondFactorOfRecovery,
  waiting,
);

const Identify = ({ uid, details }: Background) => {
  const { t } = useTranslation('account');
  return (
    <IdentifyStep
      title={t('recovery.title')}
      lead={t('recovery.text', { brand: boot.brand.name })}
      purpose="recover"
      here={flowUrl(RECOVERY_PAGE, uid)}
      details={details}
      tail={({ draft }) => (
        <p className={link.links}>
          <Link to={flowUrl('/login', uid)} state={{ draft }} reloadDocument={!uid}>
            {t('recovery.back')}
          </Link>
        </p>
      )}
    />
  );
};

const Prove = ({ uid, details, identifier }: Background & { identifier: string }) => {
  const { t } = useTranslation('account');
  return (
    <CodeStep
      title={t('recovery.title')}
      lead={t('recovery.codeText', { identifier: wholeIdentifier(identifier) })}
      action={t('recovery.next')}
      purpose="recover"
      here={flowUrl(RECOVERY_PAGE, uid)}
      identifier={identifier}
      details={details}
      verify={async (code) => {
        const { ticket, secondFactor, wait, ...review } = await call('POST /api/recovery/verify', {
          body: { identifier, code },
        });
        return { ticket, factors: secondFactor, wait, ...toReviewState(review) };
      }}
    />
  );
};

/** Identifier, code, second factor where one is due, new password. The steps are history entries, so that Back leads through them. */
export const RecoveryPage = () => {
  const background = useBackground();
  const { state } = useLocation();
  const { step, identifier, ticket } = readFlowState(state);
  if (step === 'password' && identifier && ticket) {
    const proven = { ...background, identifier, ticket };
    const factors = readFactors(state);
    return (
      <ChunkBoundary>
        {factors.length > 0 ? (
          <SecondFactorOfRecovery {...proven} ways={factors} wait={readWait(state)} />
        ) : (
          <PasswordStep {...proven} />
        )}
      </ChunkBoundary>
    );
  }
  if (step === 'code' && identifier) return <Prove {...background} identifier={identifier} />;
  return <Identify {...background} />;
};
