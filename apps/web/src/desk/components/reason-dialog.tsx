import { type ReactNode, useRef, useState } from 'react';
import { Dialog } from '../../flow/dialog/dialog.tsx';
import { isGivenUp } from '../../portal/account/step-up.ts';
import { DialogForm } from '../../portal/dialog/dialog-form.tsx';
import prose from '../../shell/components/prose.module.css';
import type { Problem } from '../../shell/forms/form-errors.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';
import { ReasonField } from './reason-field.tsx';

interface ReasonDialogProps {
  title: string;
  /** What it does. */
  text: ReactNode;
  action: string;
  /** Does it, by a fresh proof. */
  carryOut: (reason: string) => Promise<unknown>;
  onDone: () => Promise<void>;
  onClose: () => void;
}

/** Says what something does, and asks for its reason. */
export const ReasonDialog = ({ title, text, action, carryOut, onDone, onClose }: ReasonDialogProps) => {
  const input = useRef<HTMLInputElement>(null);
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const refuse = (refused: Problem) => {
    setProblem(refused);
    input.current?.focus();
  };
  const { busy, run } = useSubmit(
    async () => {
      setProblem(undefined);
      await carryOut(reason);
      await onDone();
    },
    (error) => !isGivenUp(error) && refuse(error),
  );
  return (
    <Dialog title={title} form onClose={onClose}>
      <p className={prose.lead}>{text}</p>
      <DialogForm
        action={action}
        busy={busy}
        onSubmit={() => (reason.trim() ? void run() : refuse({ code: 'reason_blank' }))}
        onCancel={onClose}
      >
        <ReasonField inputRef={input} value={reason} problem={problem} onChange={setReason} />
      </DialogForm>
    </Dialog>
  );
};
