import { useRef, useState } from 'react';
import { call } from '../../../shell/api/client.ts';
import { boot } from '../../../shell/boot.ts';
import { focusSoon } from '../../../shell/forms/focus-soon.ts';
import type { ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import { checkPassword } from '../../new-password/password-rule.ts';
import { type Proven, useRegistration } from '../../registration/use-registration.ts';

/** The last step of the registration by a phone or e-mail: the password, and then the agreements. */
export const useRegister = (interaction: ReadyInteraction, proven: Proven) => {
  const { uid } = interaction;
  const [password, setPassword] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const { openTerms, setErrors, ...registration } = useRegistration(interaction, {
    proven,
    fields: ['password'],
    send: (agreements, by = proven) =>
      call('POST /interaction/:uid/register', { params: { uid }, body: { ...by, password, agreements } }),
    onErrors: (errors) => {
      if (errors.password) focusSoon(() => input.current);
    },
  });
  const choose = () => {
    const problem = checkPassword(password, boot.passwordProfile);
    if (!problem) return openTerms();
    setErrors({ password: { code: problem } });
    input.current?.focus();
  };
  return {
    ...registration,
    password,
    setPassword,
    input,
    clearErrors: () => setErrors({}),
    openTerms: choose,
  };
};
