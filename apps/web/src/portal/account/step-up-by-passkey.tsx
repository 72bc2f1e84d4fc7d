import type { PasskeyAssertion } from '@candela/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { takeFocus } from '../../flow/components/take-focus.ts';
import { proveByPasskey } from '../../flow/passkey/prove-by-passkey.ts';
import { call } from '../../shell/api/client.ts';
import type { Problem } from '../../shell/forms/form-errors.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';
import { DialogForm } from '../dialog/dialog-form.tsx';

interface StepUpByPasskeyProps {
  prove: (proof: { passkey: PasskeyAssertion }) => Promise<void>;
  /** The other ways that the account has. */
  others: ReactNode;
  onCancel: () => void;
}

/** Asks the browser for a passkey of the account. */
export const StepUpByPasskey = ({ prove, others, onCancel }: StepUpByPasskeyProps) => {
  const { t } = useTranslation('security');
  const [problem, setProblem] = useState<Problem>();
  const { busy, run } = useSubmit(async () => {
    setProblem(undefined);
    await proveByPasskey({
      options: () => call('POST /api/step-up/options'),
      use: (passkey) => prove({ passkey }),
    });
  }, setProblem);
  return (
    <DialogForm
      action={t('secondFactor.usePasskey')}
      busy={busy}
      problem={problem}
      onSubmit={run}
      onCancel={onCancel}
    >
      <p ref={takeFocus} tabIndex={-1}>
        {t('secondFactor.passkeyText')}
      </p>
      {others}
    </DialogForm>
  );
};
