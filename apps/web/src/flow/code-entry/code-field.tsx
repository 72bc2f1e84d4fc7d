import { CODE_LENGTH, codeDigits } from '@candela/contract/rules/verification-code';
import { type ReactNode, type RefObject, useRef } from 'react';
import { useTranslation } from 'react-i18next';
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
  /** Called when all digits are typed, but not for the digits of the last call. */
  onComplete: (value: string) => void;
}

/** One input for six digits: pasting `123 456` works, full-width digits too. */
export const CodeField = (props: CodeFieldProps) => {
  const { id, value, hint, error, refusal, inputRef, action, onChange, onComplete } = props;
  const { t } = useTranslation();
  const completed = useRef('');
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
          if (code.length === CODE_LENGTH && completed.current !== code) {
            completed.current = code;
            onComplete(code);
          }
        }}
        {...describedBy(id, hint, error)}
      />
      {action}
    </Field>
  );
};
