import { interactionApi } from '@candela/contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { type ApiError, call } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { CodeField } from '../../components/code-field.tsx';
import { ErrorSummary } from '../../components/error-summary.tsx';
import { useLamp } from '../../components/flow-frame.tsx';
import stack from '../../components/stack.module.css';
import { type FormErrors, toFormErrors, useProblemText } from '../../forms/form-errors.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { displayIdentifier } from '../../identifier/dial-code.ts';
import { useCodeHint } from '../../interaction/code-hint.ts';
import { FlowHeading } from '../../interaction/flow-heading.tsx';
import { flowUrl, readFlowState } from '../../interaction/flow-links.ts';
import type { ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import { SendCodeButton } from '../../interaction/send-code-button.tsx';
import { useSendCode } from '../../interaction/use-send-code.ts';

/** Step 2: the code proves the phone or e-mail, and becomes a ticket. */
export const CodeStep = ({ uid, details, fail, identifier }: ReadyInteraction & { identifier: string }) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { draft } = readFlowState(useLocation().state);
  const codes = useSendCode('register', identifier);
  const hint = useCodeHint('register', codes.timer, identifier);
  const problemText = useProblemText();
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState<FormErrors<'code'>>({});
  const input = useRef<HTMLInputElement>(null);
  useLamp(0.55);

  const show = (next: FormErrors<'code'>) => {
    setErrors(next);
    if (next.code) {
      input.current?.focus();
      input.current?.select();
    }
  };
  const refuse = (error: ApiError) => {
    if (error.code === 'interaction_expired') fail(error);
    else show(toFormErrors(error, ['code']));
  };
  const confirm = useSubmit(async (typed: string) => {
    if (!typed) {
      show({ code: { code: 'code_blank' } });
      return;
    }
    setErrors({});
    const { ticket } = await call(interactionApi.verify, {
      params: { uid },
      body: { identifier, code: typed, purpose: 'register' },
    });
    // The code is used up: Back goes to the identifier, not to a code that no longer works.
    navigate(flowUrl('/register', uid), {
      replace: true,
      state: { draft, step: 'password', identifier, ticket },
    });
  }, refuse);
  const sending = useSubmit(async () => {
    setErrors({});
    input.current?.focus();
    await codes.send(identifier);
  }, refuse);

  return (
    <div className={stack.stack}>
      <FlowHeading
        title={t('register.title')}
        heading={t('register.codeTitle')}
        invalid={Object.keys(errors).length > 0}
        details={details}
      />
      <p className={`${stack.lead} ${stack.linked}`}>
        {t('register.codeText', { identifier: displayIdentifier(identifier) })}{' '}
        <button type="button" className={stack.link} onClick={() => navigate(-1)}>
          {t('register.change')}
        </button>
      </p>
      <form
        className={stack.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          confirm.submit(code);
        }}
      >
        <ErrorSummary errors={errors.form ? { form: errors.form } : {}} fields={[]} />
        <CodeField
          id="code"
          round={codes.timer?.sent ?? 0}
          value={code}
          hint={hint}
          error={errors.code && problemText(errors.code)}
          inputRef={input}
          action={
            <SendCodeButton
              sent
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
        <Button look="primary" type="submit" className={stack.submit} busy={confirm.busy}>
          {t('register.confirm')}
        </Button>
      </form>
    </div>
  );
};
