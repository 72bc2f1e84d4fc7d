import { RECOVERY_PAGE } from '@candela/contract/pages';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { bring } from '../../bring.ts';
import { ChunkBoundary } from '../../chunk/chunk-boundary.tsx';
import { Button } from '../../components/button.tsx';
import column from '../../components/column.module.css';
import { ErrorSummary } from '../../components/error-summary.tsx';
import { HiddenUsername } from '../../components/hidden-username.tsx';
import prose from '../../components/prose.module.css';
import { Skeleton } from '../../components/skeleton.tsx';
import { useLamp } from '../../frame/flow-frame.tsx';
import { FlowHeading } from '../../interaction/flow-heading.tsx';
import { flowUrl } from '../../interaction/flow-links.ts';
import { ProvenIdentifier } from '../../interaction/proven-identifier.tsx';
import { RepeatedPasswordFields } from '../../new-password/repeated-password-fields.tsx';
import { partWithTexts } from '../../part-with-texts.ts';
import { LinksToReview, readLinks } from './links-to-review.tsx';
import { OtherWays, readOthers } from './other-ways.tsx';
import { readFactors, readWait } from './second-factors.ts';
import type { Background } from './use-background.ts';
import { useNewPassword } from './use-new-password.ts';

interface PasswordStepProps extends Background {
  identifier: string;
  ticket: string;
}

const SecondFactorOfRecovery = partWithTexts(
  'security',
  async () => (await bring(() => import('./second-factor-of-recovery.tsx'))).SecondFactorOfRecovery,
);

const fields = ['password', 'repeated'] as const;

/** Step 3: the new password, and the approvals and ways to sign in that it removes. */
export const PasswordStep = ({ uid, details, identifier, ticket }: PasswordStepProps) => {
  const { t } = useTranslation('account');
  const { state } = useLocation();
  const factors = readFactors(state);
  const form = useNewPassword({ uid, identifier, ticket, factors });
  const links = readLinks(state);
  const others = readOthers(state);
  const { entry } = form;
  const { errors } = entry;
  useLamp(form.done ? 1 : entry.fits ? 0.85 : 0.7);

  return (
    <div className={column.column}>
      <FlowHeading
        title={t('recovery.title')}
        heading={t('recovery.passwordTitle')}
        invalid={Object.keys(errors).length > 0}
        details={details}
      />
      <ProvenIdentifier identifier={identifier} page={flowUrl(RECOVERY_PAGE, uid)} draft={form.draft} />
      <form
        className={column.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.saving.run();
        }}
      >
        <ErrorSummary errors={errors} fields={fields} focusKey={entry.refusals} />
        <HiddenUsername value={identifier} />
        <RepeatedPasswordFields label={t('recovery.password')} entry={entry} busy={form.saving.busy} />
        {others.length > 0 && (
          <OtherWays others={others} dropped={form.dropped} onToggle={form.toggleDropped} />
        )}
        <p className={prose.lead}>{t(links.length > 0 ? 'recovery.ends' : 'recovery.endsAll')}</p>
        {links.length > 0 && (
          <LinksToReview links={links} withdraw={form.withdraw} onToggle={form.toggleWithdraw} />
        )}
        {factors.length > 0 && (
          <ChunkBoundary>
            <Suspense fallback={<Skeleton heights={[160]} />}>
              <SecondFactorOfRecovery
                ticket={ticket}
                ways={factors}
                entry={form.factor}
                wait={readWait(state)}
                onComplete={(code) => void form.saving.run(code)}
              />
            </Suspense>
          </ChunkBoundary>
        )}
        <Button look="primary" type="submit" className={column.submit} busy={form.saving.busy}>
          {t('recovery.submit')}
        </Button>
      </form>
    </div>
  );
};
