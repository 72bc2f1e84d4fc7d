import { useTranslation } from 'react-i18next';
import { boot } from '../../../shell/boot.ts';
import { Button } from '../../../shell/components/button.tsx';
import column from '../../../shell/components/column.module.css';
import { ErrorSummary } from '../../../shell/components/error-summary.tsx';
import { useProblemText } from '../../../shell/forms/form-errors.ts';
import { useFirstFocus } from '../../../shell/forms/use-first-focus.ts';
import { useLateEnter } from '../../../shell/forms/use-late-enter.ts';
import { useLamp } from '../../../shell/frame/flow-frame.tsx';
import { HiddenUsername } from '../../components/hidden-username.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { FlowHeading } from '../../interaction/flow-heading.tsx';
import { flowUrl } from '../../interaction/flow-links.ts';
import type { ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import { ProvenIdentifier } from '../../interaction/proven-identifier.tsx';
import { checkPassword, generatorRule } from '../../new-password/password-rule.ts';
import { RegistrationDialogs } from '../../registration/registration-dialogs.tsx';
import { useRegister } from './use-register.ts';

interface PasswordStepProps extends ReadyInteraction {
  identifier: string;
  ticket: string;
}

/** Step 3: a password, and the agreements before the account is made. */
export const PasswordStep = ({ identifier, ticket, ...interaction }: PasswordStepProps) => {
  const { uid, details } = interaction;
  const { t } = useTranslation();
  const form = useRegister(interaction, { identifier, ticket });
  const problemText = useProblemText();
  const { password, form: formProblem } = form.errors;
  const fits = checkPassword(form.password, boot.passwordProfile) === undefined;
  useLamp(form.done ? 1 : fits ? 0.85 : 0.7);
  const isLate = useLateEnter();
  useFirstFocus(() => form.input.current);

  return (
    <div className={column.column}>
      <FlowHeading
        title={t('register.title')}
        heading={t('register.passwordTitle')}
        invalid={Boolean(password || formProblem)}
        details={details}
      />
      <ProvenIdentifier identifier={identifier} page={flowUrl('/register', uid)} draft={form.draft} />
      <form
        className={column.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isLate(form.input.current)) form.openTerms();
        }}
      >
        <ErrorSummary errors={formProblem ? { form: formProblem } : {}} fields={[]} />
        <HiddenUsername value={identifier} />
        <PasswordField
          id="password"
          value={form.password}
          autoComplete="new-password"
          hint={t(`password.${boot.passwordProfile}`)}
          error={password && problemText(password)}
          rules={generatorRule(boot.passwordProfile)}
          inputRef={form.input}
          busy={form.register.busy}
          onChange={form.setPassword}
          onBlur={() => {
            if (password && fits) form.clearErrors();
          }}
        />
        <Button look="primary" type="submit" className={column.submit} busy={form.register.busy}>
          {t('register.submit')}
        </Button>
      </form>
      <RegistrationDialogs registration={form} identifier={identifier} details={details} />
    </div>
  );
};
