import { type Account, accountApi } from '@candela/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accountQuery } from '../../account/queries.ts';
import { useSensitiveSubmit } from '../../account/step-up.ts';
import { type ApiError, call, signInAgain } from '../../api/client.ts';
import { notify } from '../../components/toast.tsx';
import { type FormErrors, type Problem, toFormErrors } from '../../forms/form-errors.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import type { IdentifierDraft } from '../../identifier/draft.ts';
import { useDraft } from '../../identifier/use-draft.ts';
import { useSendCode } from '../../interaction/use-send-code.ts';
import { type ContactKind, keepUnsaved } from './setting.ts';

type ContactField = 'identifier' | 'code';

const bind = (kind: ContactKind, identifier: string, code: string): Promise<Account> =>
  kind === 'phone'
    ? call(accountApi.setPhone, { body: { phone: identifier, code } })
    : call(accountApi.setEmail, { body: { email: identifier, code } });

interface ContactOptions {
  account: Account;
  kind: ContactKind;
  /** What was typed before the session was found to be gone. */
  draft: IdentifierDraft | undefined;
  onClose: () => void;
}

/** Binding a phone or an e-mail: what it is, then the code that proves it. */
export const useContact = ({ account, kind, draft, onClose }: ContactOptions) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const identifier = useDraft(draft, kind);
  const codes = useSendCode('bind', identifier.current);
  /** What the code was sent to: its step is shown while it is known. */
  const [sentTo, setSentTo] = useState<string>();
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState<FormErrors<ContactField>>({});
  const [unsent, setUnsent] = useState<Problem>();
  const codeInput = useRef<HTMLInputElement>(null);
  const identifierInput = useRef<HTMLInputElement>(null);

  const clear = () => {
    setErrors({});
    setUnsent(undefined);
  };
  const show = (next: FormErrors<ContactField>) => {
    setErrors(next);
    if (next.identifier) {
      setSentTo(undefined);
      setCode('');
      identifierInput.current?.focus();
    } else if (next.code) {
      codeInput.current?.focus();
      codeInput.current?.select();
    }
  };
  const refuse = (error: ApiError) => {
    // The field is `identifier` of a code that is sent, `phone` or `email` of what is bound.
    const {
      [kind]: ofKind,
      identifier: ofIdentifier = ofKind,
      ...rest
    } = toFormErrors(error, ['identifier', 'code', kind]);
    show({ ...rest, ...(ofIdentifier && { identifier: ofIdentifier }) });
  };
  const onSignedOut = () => {
    keepUnsaved({ accountId: account.id, setting: kind, draft: identifier.draft });
    signInAgain();
  };

  const start = useSubmit(
    async () => {
      const checked = await identifier.check();
      if ('error' in checked) return show({ identifier: { code: checked.error } });
      clear();
      // A code that was just sent is still good: coming back here does not ask for another.
      if (codes.seconds === 0 || identifier.current !== checked.identifier)
        await codes.send(checked.identifier);
      setSentTo(checked.identifier);
    },
    refuse,
    onSignedOut,
  );
  const resend = useSubmit(
    async () => {
      clear();
      codeInput.current?.focus();
      if (sentTo) await codes.send(sentTo);
    },
    setUnsent,
    onSignedOut,
  );
  const confirm = useSensitiveSubmit(
    async (typed: string) => {
      if (!sentTo) return;
      if (!typed) return show({ code: { code: 'code_blank' } });
      clear();
      client.setQueryData(accountQuery.queryKey, await bind(kind, sentTo, typed));
      notify(t('app.done'));
      onClose();
    },
    refuse,
    onSignedOut,
  );

  return {
    identifier,
    identifierInput,
    codes,
    sentTo,
    code,
    setCode,
    codeInput,
    errors,
    unsent,
    clear,
    start,
    resend,
    confirm,
    /** Back to what is to be bound, as it was typed. */
    back: () => {
      clear();
      setCode('');
      setSentTo(undefined);
    },
  };
};
