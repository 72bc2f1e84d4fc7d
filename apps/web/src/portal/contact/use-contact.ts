import type { Account } from '@candela/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCodeEntry } from '../../flow/code-entry/use-code-entry.ts';
import type { IdentifierDraft } from '../../flow/identifier/draft.ts';
import { useDraft } from '../../flow/identifier/use-draft.ts';
import { type ApiError, call } from '../../shell/api/client.ts';
import { type FormErrors, toFormErrors } from '../../shell/forms/form-errors.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';
import { accountQuery } from '../account/queries.ts';
import { isGivenUp, withContactProof, withStepUp } from '../account/step-up.ts';
import { notify } from '../components/toast.tsx';

/** A phone or an e-mail, each bound or unbound. */
export type ContactKind = 'phone' | 'email';

/** Binds the identifier. With `wait` the server may delay the change; the account then lists the change. */
const bind = (
  kind: ContactKind,
  identifier: string,
  { code, wait }: { code: string; wait: boolean },
): Promise<Account> => {
  const proof = { code, ...(wait && { wait }) };
  return kind === 'phone'
    ? call('PUT /api/account/phone', { body: { phone: identifier, ...proof } })
    : call('PUT /api/account/email', { body: { email: identifier, ...proof } });
};

export interface ContactOptions {
  account: Account;
  kind: ContactKind;
  /** The input from before the session ended. */
  draft: IdentifierDraft | undefined;
  /** Called with the input when the session has ended. */
  onSignedOut: (draft: IdentifierDraft) => void;
  onClose: () => void;
}

/** The errors of a refusal. The server names the field of the identifier `identifier`, `phone` or `email`. */
const toErrors = (error: ApiError, kind: ContactKind): FormErrors<'identifier'> => {
  const {
    [kind]: ofKind,
    identifier: ofIdentifier = ofKind,
    ...rest
  } = toFormErrors(error, ['identifier', kind]);
  return { ...rest, ...(ofIdentifier && { identifier: ofIdentifier }) };
};

/** The error of the identifier's field, and the identifier that was refused. */
const useIdentifierErrors = (current: string | undefined) => {
  const [errors, setErrors] = useState<FormErrors<'identifier'>>({});
  const [refused, setRefused] = useState<string>();
  const identifierInput = useRef<HTMLInputElement>(null);
  const show = (next: FormErrors<'identifier'>) => {
    setErrors(next);
    setRefused(current);
    if (next.identifier) identifierInput.current?.focus();
  };
  return { errors, refused, identifierInput, show, clear: () => setErrors({}) };
};

/** The two steps that bind a phone or an e-mail: the identifier, then the code that proves it. */
export const useContact = ({ account, kind, draft, onSignedOut, onClose }: ContactOptions) => {
  const { t } = useTranslation('account');
  const client = useQueryClient();
  const identifier = useDraft(draft, kind);
  /** The identifier that the code was sent to. While it is set, the step of the code is shown. */
  const [sentTo, setSentTo] = useState<string>();
  const { errors, refused, identifierInput, show, clear } = useIdentifierErrors(identifier.current);

  const leave = () => onSignedOut(identifier.draft);
  const entry = useCodeEntry({
    purpose: 'bind',
    to: sentTo ?? identifier.current,
    verify: async (code) => {
      if (!sentTo) return;
      const old = account[kind];
      const send = (wait: boolean) => bind(kind, sentTo, { code, wait });
      const changed = await (old ? withContactProof(old, send) : withStepUp(() => send(false)));
      client.setQueryData(accountQuery.queryKey, changed);
      notify(t(changed[kind] === old ? 'settings.wait.begun' : 'app.done'));
      onClose();
    },
    onRefused: (error) => isGivenUp(error) || isOfIdentifier(error),
    onSignedOut: leave,
  });
  const isOfIdentifier = (error: ApiError): boolean => {
    const next = toErrors(error, kind);
    if (!next.identifier) return false;
    back();
    show(next);
    return true;
  };
  /** Goes back to the step of the identifier and keeps the input. */
  const back = () => {
    clear();
    entry.reset();
    setSentTo(undefined);
  };

  const start = useSubmit(
    async () => {
      const checked = await identifier.check();
      if ('error' in checked) return show({ identifier: { code: checked.error } });
      clear();
      // The last code still works while the countdown runs, so the step of the code opens without another.
      if (entry.seconds === 0 || identifier.current !== checked.identifier)
        await entry.send(checked.identifier);
      setSentTo(checked.identifier);
    },
    (error) => show(toErrors(error, kind)),
    leave,
  );

  return { identifier, identifierInput, entry, sentTo, errors, refused, clear, start, back };
};
