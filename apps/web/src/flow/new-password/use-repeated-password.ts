import { useState } from 'react';
import { boot } from '../../shell/boot.ts';
import { type FormErrors, toFormErrors } from '../../shell/forms/form-errors.ts';
import { checkPassword } from './password-rule.ts';

/** The state of a new password that is typed twice. `first` is the id of the first field. */
export const useRepeatedPassword = (first: string) => {
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [errors, setErrors] = useState<FormErrors<string>>({});
  const [refusals, setRefusals] = useState(0);

  const check = (): FormErrors<string> => {
    const code = checkPassword(password, boot.passwordProfile);
    if (code) return { [first]: { code } };
    return password === repeated ? {} : { repeated: { code: 'passwords_differ' } };
  };
  const show = (next: FormErrors<string>) => {
    setErrors(next);
    setRefusals((count) => count + 1);
  };
  return {
    first,
    password,
    setPassword,
    repeated,
    setRepeated,
    errors,
    /** Counts the refusals that the error summary takes the focus for. */
    refusals,
    fits: Object.keys(check()).length === 0,
    /** Whether the password may be sent. Otherwise shows its errors. */
    accept: (): boolean => {
      const problems = check();
      const fits = Object.keys(problems).length === 0;
      if (fits) setErrors({});
      else show(problems);
      return fits;
    },
    /** Shows a refusal of the server. */
    refuse: (error: Parameters<typeof toFormErrors>[0]): void => {
      const { password: refused, ...rest } = toFormErrors(error, ['password']);
      show({ ...rest, ...(refused && { [first]: refused }) });
    },
    /** Removes the error of a field once the field is correct. */
    recheck: (field: string): void => {
      if (!check()[field]) setErrors(({ [field]: _, ...rest }) => rest);
    },
  };
};
