import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HiddenUsername } from '../../flow/components/hidden-username.tsx';
import { PasswordField } from '../../flow/components/password-field.tsx';
import { retype } from '../../flow/components/retype.ts';
import { type FormErrors, toFormErrors, useProblemText } from '../../shell/forms/form-errors.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';
import { DialogForm } from '../dialog/dialog-form.tsx';

interface StepUpByPasswordProps {
  username: string;
  prove: (proof: { password: string }) => Promise<void>;
  /** The other ways that the account has. */
  others: ReactNode;
  onCancel: () => void;
}

export const StepUpByPassword = ({ username, prove, others, onCancel }: StepUpByPasswordProps) => {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<FormErrors<'password'>>({});
  const tried = useRef('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const show = (next: FormErrors<'password'>) => {
    setErrors(next);
    if (next.password) retype(input);
  };
  const { busy, run } = useSubmit(
    async () => {
      tried.current = password;
      if (!password) return show({ password: { code: 'password_blank' } });
      setErrors({});
      await prove({ password });
    },
    (error) => show(toFormErrors(error, ['password'])),
  );
  const wrong = errors.password?.code === 'invalid_credentials';
  return (
    <DialogForm
      action={t('settings.confirm')}
      busy={busy}
      problem={errors.form}
      onSubmit={run}
      onCancel={onCancel}
    >
      <HiddenUsername value={username} />
      <PasswordField
        id="step-up-password"
        value={password}
        autoComplete="current-password"
        error={errors.password && (wrong ? t('settings.stepUp.wrongPassword') : problemText(errors.password))}
        inputRef={input}
        busy={busy}
        onChange={setPassword}
        onBlur={() => {
          if (password && password !== tried.current) setErrors({});
        }}
      />
      {others}
    </DialogForm>
  );
};
