import type { Account } from '@candela/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiError, call } from '../api/client.ts';
import { useCodeEntry } from '../code-entry/use-code-entry.ts';
import { notify } from '../components/toast.tsx';
import { type FormErrors, toFormErrors } from '../forms/form-errors.ts';
import { useSubmit } from '../forms/use-submit.ts';
import type { IdentifierDraft } from '../identifier/draft.ts';
import { useDraft } from '../identifier/use-draft.ts';
import { accountQuery } from './queries.ts';
import { isGivenUp, withContactProof, withStepUp } from './step-up.ts';

/** A phone or an e-mail, each bound or unbound. */
export type ContactKind = 'phone' | 'email';

/** With `wait` it happens at once, or later: then the account says so. */
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
  /** What was typed before the session was found to be gone. */
  draft: IdentifierDraft | undefined;
  /** The session is gone, and this was typed by then. */
  onSignedOut: (draft: IdentifierDraft) => void;
  onClose: () => void;
}

/** Binding a phone or an e-mail: what it is, then the code that proves it. */
export const useContact = ({ account, kind, draft, onSignedOut, onClose }: ContactOptions) => {
  const { t } = useTranslation('account');
  const client = useQueryClient();
  const identifier = useDraft(draft, kind);
  /** What the code was sent to: its step is shown while it is known. */
  const [sentTo, setSentTo] = useState<string>();
  const [errors, setErrors] = useState<FormErrors<'identifier'>>({});
  /** The identifier that was refused. */
  const [refused, setRefused] = useState<string>();
  const identifierInput = useRef<HTMLInputElement>(null);

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
  const show = (next: FormErrors<'identifier'>) => {
    setErrors(next);
    setRefused(identifier.current);
    if (next.identifier) identifierInput.current?.focus();
  };
  const toErrors = (error: ApiError): FormErrors<'identifier'> => {
    // The field is `identifier` of a code that is sent, `phone` or `email` of what is bound.
    const {
      [kind]: ofKind,
      identifier: ofIdentifier = ofKind,
      ...rest
    } = toFormErrors(error, ['identifier', kind]);
    return { ...rest, ...(ofIdentifier && { identifier: ofIdentifier }) };
  };
  const isOfIdentifier = (error: ApiError): boolean => {
    const next = toErrors(error);
    if (!next.identifier) return false;
    back();
    show(next);
    return true;
  };
  const back = () => {
    setErrors({});
    entry.reset();
    setSentTo(undefined);
  };

  const start = useSubmit(
    async () => {
      const checked = await identifier.check();
      if ('error' in checked) return show({ identifier: { code: checked.error } });
      setErrors({});
      // A code that was just sent is still good: coming back here does not ask for another.
      if (entry.seconds === 0 || identifier.current !== checked.identifier)
        await entry.send(checked.identifier);
      setSentTo(checked.identifier);
    },
    (error) => show(toErrors(error)),
    leave,
  );

  return {
    identifier,
    identifierInput,
    entry,
    sentTo,
    errors,
    refused,
    clear: () => setErrors({}),
    start,
    /** Back to what is to be bound, as it was typed. */
    back,
  };
};
