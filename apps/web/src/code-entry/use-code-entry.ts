import type { CodePurpose } from '@candela/contract';
import { useRef, useState } from 'react';
import type { ApiError } from '../api/client.ts';
import { type FormErrors, type Problem, toFormErrors } from '../forms/form-errors.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { useCodeHint } from './code-hint.ts';
import { useSendCode } from './use-send-code.ts';

export type CodeEntry = ReturnType<typeof useCodeEntry>;

interface CodeEntryOptions {
  purpose: CodePurpose;
  /** Where the codes go, as far as that is known. */
  to: string | undefined;
  /** What is wrong from the start. */
  errors?: FormErrors<'code'>;
  verify: (code: string) => Promise<void>;
  /** Sees a refusal first; true where that was all. */
  onRefused?: (error: ApiError) => boolean;
  onSignedOut?: () => void;
}

/** Sending a code, and typing it in: what stands in the field, what is wrong with it, what is under way. */
export const useCodeEntry = (options: CodeEntryOptions) => {
  const { purpose, to, errors: initial = {}, verify, onRefused, onSignedOut } = options;
  const codes = useSendCode(purpose, to);
  const hint = useCodeHint(purpose, codes.timer, to);
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState(initial);
  const [refused, setRefused] = useState('');
  const [unsent, setUnsent] = useState<Problem>();
  const input = useRef<HTMLInputElement>(null);

  const clear = () => {
    setErrors({});
    setUnsent(undefined);
  };
  const show = (next: FormErrors<'code'>, typed: string) => {
    setErrors(next);
    setRefused(typed);
    if (!next.code) return;
    input.current?.focus();
    input.current?.select();
  };
  const tried = useRef('');
  const confirm = useSubmit(
    async (typed: string) => {
      if (!typed) return show({ code: { code: 'code_blank' } }, typed);
      tried.current = typed;
      clear();
      await verify(typed);
    },
    (error) => {
      codes.noteRefusal(error);
      if (!onRefused?.(error)) show(toFormErrors(error, ['code']), tried.current);
    },
    onSignedOut,
  );
  const sending = useSubmit(
    async () => {
      clear();
      input.current?.focus();
      if (to) await codes.send(to);
    },
    setUnsent,
    onSignedOut,
  );

  return {
    codes,
    hint,
    code,
    setCode,
    input,
    errors,
    /** Why no code could be sent. */
    unsent,
    confirm,
    sending,
    /** The field was left: an error goes once there is something else in it. */
    leave: () => {
      if (code && code !== refused) setErrors({});
    },
    /** Nothing typed, nothing wrong. */
    reset: () => {
      clear();
      setCode('');
    },
  };
};
