import { useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { call } from '../../../shell/api/client.ts';
import { boot } from '../../../shell/boot.ts';
import { focusSoon } from '../../../shell/forms/focus-soon.ts';
import { noteKind } from '../../identifier/last-used.ts';
import { readFlowState } from '../../interaction/flow-links.ts';
import type { ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import { checkPassword } from '../../new-password/password-rule.ts';
import { type Proven, useRegistration } from '../../registration/use-registration.ts';

/** The last step of the registration by a phone or e-mail: the password, and then the agreements. */
export const useRegister = (interaction: ReadyInteraction, proven: Proven) => {
  const { uid } = interaction;
  const { draft } = readFlowState(useLocation().state);
  const [password, setPassword] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const { openTerms, setErrors, ...registration } = useRegistration(interaction, {
    proven,
    fields: ['password'],
    send: async (agreements, by = proven) => {
      const body = { ...by, password, agreements };
      const answer = await call('POST /interaction/:uid/register', { params: { uid }, body });
      if (draft) noteKind(draft);
      return answer;
    },
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
