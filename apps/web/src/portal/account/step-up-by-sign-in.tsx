import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../flow/dialog/dialog.tsx';
import { call, signInAgain } from '../../shell/api/client.ts';
import { Actions } from '../../shell/components/actions.tsx';
import { Button } from '../../shell/components/button.tsx';
import { ErrorSummary } from '../../shell/components/error-summary.tsx';
import prose from '../../shell/components/prose.module.css';
import type { Problem } from '../../shell/forms/form-errors.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';

interface StepUpBySignInProps {
  /** The account has nothing else, or nothing else is old enough. */
  text: 'settings.stepUp.againText' | 'settings.stepUp.oldestText';
  onCancel: () => void;
}

/** Where only a way in through an identity provider will do: a sign-in that was just made counts as a proof. */
export const StepUpBySignIn = ({ text, onCancel }: StepUpBySignInProps) => {
  const { t } = useTranslation('account');
  const [problem, setProblem] = useState<Problem>();
  const { busy, run } = useSubmit(async () => {
    setProblem(undefined);
    await call('POST /api/sign-out', { body: { forget: false } });
    signInAgain();
  }, setProblem);
  return (
    <Dialog title={t('settings.stepUp.title')} alert onClose={onCancel}>
      <ErrorSummary errors={problem ? { form: problem } : {}} fields={[]} />
      <p className={prose.lead}>{t(text)}</p>
      <Actions>
        <Button onClick={onCancel}>{t('app.cancel')}</Button>
        <Button look="primary" busy={busy} onClick={() => void run()}>
          {t('settings.stepUp.again')}
        </Button>
      </Actions>
    </Dialog>
  );
};
