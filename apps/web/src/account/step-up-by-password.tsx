import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Actions } from '../components/actions.tsx';
import { Button } from '../components/button.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { HiddenUsername } from '../components/hidden-username.tsx';
import { PasswordField } from '../components/password-field.tsx';
import stack from '../components/stack.module.css';
import { type FormErrors, toFormErrors, useProblemText } from '../forms/form-errors.ts';
import { useSubmit } from '../forms/use-submit.ts';

interface StepUpByPasswordProps {
  username: string;
  prove: (proof: { password: string }) => Promise<void>;
  onCode: () => void;
  onCancel: () => void;
}

export const StepUpByPassword = ({ username, prove, onCode, onCancel }: StepUpByPasswordProps) => {
  const { t } = useTranslation();
  const problemText = useProblemText();
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<FormErrors<'password'>>({});
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const show = (next: FormErrors<'password'>) => {
    setErrors(next);
    if (!next.password) return;
    input.current?.focus();
    input.current?.select();
  };
  const { busy, submit } = useSubmit(
    async () => {
      if (!password) return show({ password: { code: 'password_blank' } });
      setErrors({});
      await prove({ password });
    },
    (error) => show(toFormErrors(error, ['password'])),
  );
  const wrong = errors.password?.code === 'invalid_credentials';
  return (
    <form
      className={stack.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ErrorSummary errors={errors.form ? { form: errors.form } : {}} fields={[]} />
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
          if (password) setErrors({});
        }}
      />
      <div>
        <Button look="text" onClick={onCode}>
          {t('settings.stepUp.useCode')}
        </Button>
      </div>
      <Actions>
        <Button onClick={onCancel}>{t('app.cancel')}</Button>
        <Button look="primary" type="submit" busy={busy}>
          {t('settings.confirm')}
        </Button>
      </Actions>
    </form>
  );
};
