import { type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { afterPress } from './after-press.ts';
import { describedBy, Field, FieldAction } from './field.tsx';

interface PasswordFieldProps {
  id: string;
  /** The label; by default “Password”. */
  label?: string;
  value: string;
  autoComplete: 'current-password' | 'new-password';
  hint?: string | undefined;
  error?: string | undefined;
  /** Rules for password generators (the `passwordrules` attribute). */
  rules?: string | undefined;
  inputRef?: RefObject<HTMLInputElement | null>;
  /** The form is being submitted: the field hides the password again. */
  busy: boolean;
  onChange: (value: string) => void;
  onBlur?: () => void;
}

/** A password field with a button that shows the password and a warning about Caps Lock. It allows pasting. */
export const PasswordField = (props: PasswordFieldProps) => {
  const { id, label, value, autoComplete, hint, error, rules, inputRef, busy, onChange, onBlur } = props;
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);

  useEffect(() => {
    if (busy) setShown(false);
  }, [busy]);

  const notice = capsLock ? t('password.capsLock') : hint;
  const noteCapsLock = (event: React.KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <Field id={id} label={label ?? t('password.label')} hint={notice} error={error}>
      <input
        ref={inputRef}
        id={id}
        name="password"
        type={shown ? 'text' : 'password'}
        autoComplete={autoComplete}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        value={value}
        {...(rules && { passwordrules: rules })}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={noteCapsLock}
        onKeyUp={noteCapsLock}
        onBlur={() => {
          setCapsLock(false);
          if (onBlur) afterPress(onBlur);
        }}
        {...describedBy(id, notice, error)}
      />
      <FieldAction
        aria-controls={id}
        aria-label={shown ? t('password.hide') : t('password.show')}
        onClick={() => setShown(!shown)}
      >
        <EyeIcon open={shown} />
      </FieldAction>
    </Field>
  );
};

const EyeIcon = ({ open }: { open: boolean }) => (
  <svg
    width="22"
    height="22"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.7"
    strokeLinecap="round"
    strokeLinejoin="round"
    style={{ display: 'block' }}
    aria-hidden="true"
  >
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
    <circle cx="12" cy="12" r="2.8" />
    {!open && <path d="m4 4 16 16" />}
  </svg>
);
