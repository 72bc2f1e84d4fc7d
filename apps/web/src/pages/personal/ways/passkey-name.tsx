import type { Passkey } from '@candela/contract';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client.ts';
import { describedBy, Field } from '../../../components/field.tsx';
import { retype } from '../../../components/retype.ts';
import { notify } from '../../../components/toast.tsx';
import { type FormErrors, toFormErrors, useProblemText } from '../../../forms/form-errors.ts';
import { useSubmit } from '../../../forms/use-submit.ts';
import { useWaysChange } from './use-ways-change.ts';

const LONGEST_NAME = 60;

/** The name of a passkey as typed, and the request that saves it. */
export const usePasskeyName = (passkey: Passkey, onSaved: () => void) => {
  const { t } = useTranslation('account');
  const changed = useWaysChange();
  const [name, setName] = useState(passkey.name);
  const [errors, setErrors] = useState<FormErrors<'name'>>({});
  const input = useRef<HTMLInputElement>(null);
  const show = (next: FormErrors<'name'>) => {
    setErrors(next);
    if (next.name) retype(input);
  };
  const { busy, run } = useSubmit(
    async () => {
      const typed = name.trim();
      if (!typed) return show({ name: { code: 'passkey_name_invalid' } });
      setErrors({});
      if (typed !== passkey.name) {
        await call('PATCH /api/passkeys/:id', { params: { id: passkey.id }, body: { name: typed } });
        await changed();
      }
      notify(t('app.done'));
      onSaved();
    },
    (error) => {
      if (error.code === 'passkey_name_invalid') show({ name: error });
      else show(toFormErrors(error, ['name']));
    },
  );
  return { name, setName, errors, input, busy, run };
};

interface PasskeyNameFieldProps {
  entry: ReturnType<typeof usePasskeyName> & { input: RefObject<HTMLInputElement | null> };
}

export const PasskeyNameField = ({ entry }: PasskeyNameFieldProps) => {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const { name, setName, errors, input } = entry;
  const error = errors.name && problemText(errors.name);
  useEffect(() => retype(input), [input]);
  return (
    <Field id="passkey-name" label={t('ways.passkeys.name')} error={error}>
      <input
        ref={input}
        id="passkey-name"
        type="text"
        autoComplete="off"
        required
        maxLength={LONGEST_NAME}
        value={name}
        onChange={(event) => setName(event.target.value)}
        {...describedBy('passkey-name', undefined, error)}
      />
    </Field>
  );
};
