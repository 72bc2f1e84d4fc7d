import { CODE_LENGTH, codeDigits } from '@candela/contract/rules/verification-code';
import { type ReactNode, type RefObject, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { afterPress } from '../components/after-press.ts';
import { describedBy, Field } from '../components/field.tsx';

interface CodeFieldProps {
  id: string;
  value: string;
  hint?: string | undefined;
  error?: string | undefined;
  /** The reason that no code could be sent. */
  refusal?: string | undefined;
  inputRef?: RefObject<HTMLInputElement | null>;
  /** The button that sends the code. */
  action: ReactNode;
  onChange: (value: string) => void;
  /** The number of codes sent. The field completes once for each code. */
  round: number;
  onComplete: (value: string) => void;
  onBlur?: () => void;
}

/** One input for six digits: pasting `123 456` works, full-width digits too. */
export const CodeField = (props: CodeFieldProps) => {
  const { id, value, hint, error, refusal, inputRef, action, round, onChange, onComplete, onBlur } = props;
  const { t } = useTranslation();
  const completedRound = useRef(-1);
  return (
    <Field id={id} label={t('code.label')} hint={hint} error={error} refusal={refusal}>
      <input
        ref={inputRef}
        id={id}
        name="code"
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        required
        placeholder={t('code.placeholder')}
        value={value}
        onChange={(event) => {
          const code = codeDigits(event.target.value);
          onChange(code);
          if (code.length === CODE_LENGTH && completedRound.current !== round) {
            completedRound.current = round;
            onComplete(code);
          }
        }}
        onBlur={() => onBlur && afterPress(onBlur)}
        {...describedBy(id, hint, error)}
      />
      {action}
    </Field>
  );
};
