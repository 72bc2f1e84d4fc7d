import type { CodePurpose } from '@candela/contract';
import { type RefObject, useRef, useState } from 'react';
import type { ApiError } from '../../shell/api/client.ts';
import { type FormErrors, type Problem, toFormErrors } from '../../shell/forms/form-errors.ts';
import { type Submit, useSubmit } from '../../shell/forms/use-submit.ts';
import { retype } from '../components/retype.ts';
import { useCodeHint } from './code-hint.ts';
import type { CodeTimer } from './code-timer.ts';
import { useSendCode } from './use-send-code.ts';

/** The state and the actions of a `CodeEntryField`, the same in every form. */
export interface CodeEntry {
  code: string;
  setCode: (code: string) => void;
  input: RefObject<HTMLInputElement | null>;
  /** The code that was sent last; undefined before the first. */
  timer: CodeTimer | undefined;
  /** Seconds until another code may be sent. */
  seconds: number;
  hint: string | undefined;
  /** The error of the code. */
  problem: Problem | undefined;
  /** The reason that no code could be sent. */
  unsent: Problem | undefined;
  sending: Submit;
  /** Called when all digits are typed. */
  complete: (code: string) => void;
}

interface CodeEntryOptions {
  purpose: CodePurpose;
  /** The identifier that receives the codes; undefined until it is known. */
  to: string | undefined;
  /** The errors that the form shows at first. */
  errors?: FormErrors<'code'>;
  verify: (code: string) => Promise<void>;
  /** Handles a refusal first. Returns true when the form must not show the refusal. */
  onRefused?: (error: ApiError) => boolean;
  onSignedOut?: () => void;
}

/** A form around one code: sends and verifies the code, and holds the input and the errors. */
export const useCodeEntry = (options: CodeEntryOptions) => {
  const { purpose, to, errors: initial = {}, verify, onRefused, onSignedOut } = options;
  const { timer, seconds, send, noteRefusal } = useSendCode(purpose, to);
  const hint = useCodeHint(purpose, timer, to);
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState(initial);
  const [unsent, setUnsent] = useState<Problem>();
  const input = useRef<HTMLInputElement>(null);

  const clear = () => {
    setErrors({});
    setUnsent(undefined);
  };
  const show = (next: FormErrors<'code'>) => {
    setErrors(next);
    if (next.code) retype(input);
  };
  const confirm = useSubmit(
    async (typed: string) => {
      if (!typed) return show({ code: { code: 'code_blank' } });
      clear();
      await verify(typed);
    },
    (error) => {
      noteRefusal(error);
      if (!onRefused?.(error)) show(toFormErrors(error, ['code']));
    },
    onSignedOut,
  );
  const sending = useSubmit(
    async () => {
      clear();
      input.current?.focus();
      if (to) await send(to);
    },
    setUnsent,
    onSignedOut,
  );
  const complete = (typed: string) => void confirm.run(typed);
  /** Takes a value. The error of the refused one goes. */
  const type = (typed: string) => {
    if (errors.code && typed !== code) setErrors({});
    setCode(typed);
  };
  /** Clears the input and the errors. */
  const reset = () => {
    clear();
    setCode('');
  };
  const field = { code, setCode: type, input, timer, seconds, hint, problem: errors.code, unsent, sending };
  const entry: CodeEntry = { ...field, complete };
  return { ...entry, errors, confirm, send, reset };
};
