import { type ReactNode, useEffect, useRef, useState } from 'react';
import { CodeField } from '../../flow/code-entry/code-field.tsx';
import { retype } from '../../flow/components/retype.ts';
import { type Problem, useProblemText } from '../../shell/forms/form-errors.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';
import { DialogForm } from '../dialog/dialog-form.tsx';

interface TotpFormProps {
  id: string;
  /** The label of the button. */
  action: string;
  hint: string;
  /** The field has the focus at once. */
  focused?: boolean;
  /** Sends the code. */
  send: (code: string) => Promise<void>;
  onCancel: () => void;
  /** What stands below the field. */
  children: ReactNode;
}

/** The form of a dialog that takes a code of the authenticator app. */
export const TotpForm = ({ id, action, hint, focused = false, send, onCancel, children }: TotpFormProps) => {
  const problemText = useProblemText();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused) input.current?.focus();
  }, [focused]);

  const refuse = (next: Problem) => {
    setProblem(next);
    retype(input);
  };
  const { busy, run } = useSubmit(async (typed: string) => {
    if (!typed) return refuse({ code: 'code_blank' });
    setProblem(undefined);
    await send(typed);
  }, refuse);
  const isOfField = problem?.code === 'totp_incorrect' || problem?.code === 'code_blank';
  return (
    <DialogForm
      action={action}
      busy={busy}
      problem={isOfField ? undefined : problem}
      onSubmit={() => run(code)}
      onCancel={onCancel}
    >
      <CodeField
        id={id}
        value={code}
        hint={hint}
        error={isOfField && problem ? problemText(problem) : undefined}
        inputRef={input}
        action={null}
        onChange={(typed) => {
          if (isOfField && typed !== code) setProblem(undefined);
          setCode(typed);
        }}
        onComplete={(typed) => void run(typed)}
      />
      {children}
    </DialogForm>
  );
};
