import type { Account } from '@candela/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Actions } from '../components/actions.tsx';
import { Button } from '../components/button.tsx';
import { CodeField } from '../components/code-field.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import stack from '../components/stack.module.css';
import { type FormErrors, type Problem, toFormErrors, useProblemText } from '../forms/form-errors.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { useCodeHint } from '../interaction/code-hint.ts';
import { SendCodeButton } from '../interaction/send-code-button.tsx';
import { useSendCode } from '../interaction/use-send-code.ts';
import { ChoiceList } from './choice-list.tsx';
import { maskContact } from './mask-contact.ts';

/** Where a code can reach the account's owner. */
export const contactsOf = ({ phone, email }: Account): readonly string[] =>
  [phone, email].filter((contact) => contact !== undefined);

interface StepUpByCodeProps {
  contacts: readonly string[];
  prove: (proof: { identifier: string; code: string }) => Promise<void>;
  /** Left out where the account has no password. */
  onPassword: (() => void) | undefined;
  onCancel: () => void;
}

export const StepUpByCode = ({ contacts, prove, onPassword, onCancel }: StepUpByCodeProps) => {
  const { t } = useTranslation();
  const problemText = useProblemText();
  const [contact, setContact] = useState(contacts[0] ?? '');
  const codes = useSendCode('step-up', contact);
  const hint = useCodeHint('step-up', codes.timer, contact);
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState<FormErrors<'code'>>({});
  const [unsent, setUnsent] = useState<Problem>();
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('input:checked, input')?.focus(), []);

  const clear = () => {
    setErrors({});
    setUnsent(undefined);
  };
  const show = (next: FormErrors<'code'>) => {
    setErrors(next);
    if (!next.code) return;
    input.current?.focus();
    input.current?.select();
  };
  const confirm = useSubmit(
    async (typed: string) => {
      if (!typed) return show({ code: { code: 'code_blank' } });
      clear();
      await prove({ identifier: contact, code: typed });
    },
    (error) => show(toFormErrors(error, ['code'])),
  );
  const sending = useSubmit(async () => {
    clear();
    input.current?.focus();
    await codes.send(contact);
  }, setUnsent);

  return (
    <form
      ref={form}
      className={stack.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        confirm.submit(code);
      }}
    >
      <ErrorSummary errors={errors.form ? { form: errors.form } : {}} fields={[]} />
      {contacts.length > 1 ? (
        <ChoiceList
          name="contact"
          legend={t('settings.stepUp.contacts')}
          choices={contacts.map((value) => ({ value, label: maskContact(value) }))}
          value={contact}
          onChange={(next) => {
            clear();
            setCode('');
            setContact(next);
          }}
        />
      ) : (
        <p>{t('settings.stepUp.contact', { contact: maskContact(contact) })}</p>
      )}
      <CodeField
        id="step-up-code"
        round={codes.timer?.sent ?? 0}
        value={code}
        hint={hint}
        error={errors.code && problemText(errors.code)}
        refusal={unsent && problemText(unsent)}
        inputRef={input}
        action={
          <SendCodeButton
            sent={codes.timer !== undefined}
            seconds={codes.seconds}
            busy={sending.busy}
            onSend={() => sending.submit()}
          />
        }
        onChange={setCode}
        onComplete={(typed) => confirm.submit(typed)}
        onBlur={() => {
          if (code) setErrors({});
        }}
      />
      {onPassword && (
        <div>
          <Button look="text" onClick={onPassword}>
            {t('settings.stepUp.usePassword')}
          </Button>
        </div>
      )}
      <Actions>
        <Button onClick={onCancel}>{t('app.cancel')}</Button>
        <Button look="primary" type="submit" busy={confirm.busy}>
          {t('settings.confirm')}
        </Button>
      </Actions>
    </form>
  );
};
