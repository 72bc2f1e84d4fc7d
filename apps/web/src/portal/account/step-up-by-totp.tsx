import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeField } from '../../flow/code-entry/code-field.tsx';
import { retype } from '../../flow/components/retype.ts';
import { type Problem, useProblemText } from '../../shell/forms/form-errors.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';
import { DialogForm } from '../dialog/dialog-form.tsx';

interface StepUpByTotpProps {
  prove: (proof: { totp: string }) => Promise<void>;
  /** The other ways that the account has. */
  others: ReactNode;
  onCancel: () => void;
}

/** Asks for a code of the authenticator app. */
export const StepUpByTotp = ({ prove, others, onCancel }: StepUpByTotpProps) => {
  const { t } = useTranslation('security');
  const problemText = useProblemText();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const [refusals, setRefusals] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const refuse = (next: Problem) => {
    setProblem(next);
    setRefusals(refusals + 1);
    retype(input);
  };
  const { busy, run } = useSubmit(async (typed: string) => {
    if (!typed) return refuse({ code: 'code_blank' });
    setProblem(undefined);
    await prove({ totp: typed });
  }, refuse);
  const isOfField = problem?.code === 'totp_incorrect' || problem?.code === 'code_blank';
  return (
    <DialogForm
      action={t('settings.confirm')}
      busy={busy}
      problem={isOfField ? undefined : problem}
      onSubmit={() => run(code)}
      onCancel={onCancel}
    >
      <CodeField
        id="step-up-totp"
        round={refusals}
        value={code}
        hint={t('secondFactor.totpHint')}
        error={isOfField && problem ? problemText(problem) : undefined}
        inputRef={input}
        action={null}
        onChange={setCode}
        onComplete={(typed) => void run(typed)}
      />
      {others}
    </DialogForm>
  );
};
