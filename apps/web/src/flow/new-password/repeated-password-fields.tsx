import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { boot } from '../../shell/boot.ts';
import { useProblemText } from '../../shell/forms/form-errors.ts';
import { onlyFault } from '../../shell/forms/only-fault.ts';
import { OnlyField } from '../components/field.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { generatorRule } from './password-rule.ts';
import type { useRepeatedPassword } from './use-repeated-password.ts';

interface RepeatedPasswordFieldsProps {
  /** The label of the first field. */
  label: string;
  entry: ReturnType<typeof useRepeatedPassword>;
  inputRef?: RefObject<HTMLInputElement | null>;
  busy: boolean;
}

/** The two fields of a new password. */
export const RepeatedPasswordFields = ({ label, entry, inputRef, busy }: RepeatedPasswordFieldsProps) => {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const { first, errors, recheck } = entry;
  const problem = errors[first];
  return (
    <OnlyField value={onlyFault(errors) !== undefined}>
      <PasswordField
        id={first}
        label={label}
        value={entry.password}
        autoComplete="new-password"
        hint={t(`password.${boot.passwordProfile}`)}
        error={problem && problemText(problem)}
        rules={generatorRule(boot.passwordProfile)}
        {...(inputRef && { inputRef })}
        busy={busy}
        onChange={entry.setPassword}
        onBlur={() => recheck(first)}
      />
      <PasswordField
        id="repeated"
        label={t('recovery.repeated')}
        value={entry.repeated}
        autoComplete="new-password"
        error={errors.repeated && problemText(errors.repeated)}
        busy={busy}
        onChange={entry.setRepeated}
        onBlur={() => recheck('repeated')}
      />
    </OnlyField>
  );
};
