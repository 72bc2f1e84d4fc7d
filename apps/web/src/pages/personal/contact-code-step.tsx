import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeField } from '../../components/code-field.tsx';
import stack from '../../components/stack.module.css';
import { useProblemText } from '../../forms/form-errors.ts';
import { displayIdentifier } from '../../identifier/dial-code.ts';
import { useCodeHint } from '../../interaction/code-hint.ts';
import { SendCodeButton } from '../../interaction/send-code-button.tsx';
import { SettingForm } from './setting-form.tsx';
import type { useContact } from './use-contact.ts';

interface ContactCodeStepProps {
  contact: ReturnType<typeof useContact>;
  sentTo: string;
  onCancel: () => void;
}

/** Step 2: the code that was sent to what is to be bound. */
export const ContactCodeStep = ({ contact, sentTo, onCancel }: ContactCodeStepProps) => {
  const { t } = useTranslation();
  const problemText = useProblemText();
  const { codes, code, codeInput, errors, unsent, resend, confirm } = contact;
  const hint = useCodeHint('bind', codes.timer, sentTo);
  useEffect(() => codeInput.current?.focus(), [codeInput]);

  return (
    <>
      <p className={`${stack.lead} ${stack.linked}`}>
        {t('code.sent', { identifier: displayIdentifier(sentTo) })}{' '}
        <button type="button" className={stack.link} onClick={contact.back}>
          {t('code.change')}
        </button>
      </p>
      <SettingForm
        action={t('settings.confirm')}
        busy={confirm.busy}
        problem={errors.form}
        onSubmit={() => confirm.submit(code)}
        onCancel={onCancel}
      >
        <CodeField
          id="contact-code"
          round={codes.timer?.sent ?? 0}
          value={code}
          hint={hint}
          error={errors.code && problemText(errors.code)}
          refusal={unsent && problemText(unsent)}
          inputRef={codeInput}
          action={
            <SendCodeButton sent seconds={codes.seconds} busy={resend.busy} onSend={() => resend.submit()} />
          }
          onChange={contact.setCode}
          onComplete={(typed) => confirm.submit(typed)}
          onBlur={() => {
            if (code) contact.clear();
          }}
        />
      </SettingForm>
    </>
  );
};
