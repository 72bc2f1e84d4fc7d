import type { InteractionDetails } from '@candela/contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import type { ApiError } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { CodeField } from '../components/code-field.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { useLamp } from '../components/flow-frame.tsx';
import stack from '../components/stack.module.css';
import { type FormErrors, type Problem, toFormErrors, useProblemText } from '../forms/form-errors.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { useCodeHint } from '../interaction/code-hint.ts';
import { FlowHeading } from '../interaction/flow-heading.tsx';
import { readFlowState } from '../interaction/flow-links.ts';
import { SendCodeButton } from '../interaction/send-code-button.tsx';
import { useSendCode } from '../interaction/use-send-code.ts';

interface CodeStepProps<Proof> {
  title: string;
  lead: string;
  /** What the button says. */
  action: string;
  purpose: 'register' | 'recover';
  /** The address of the page whose step this is. */
  here: string;
  identifier: string;
  details: InteractionDetails | undefined;
  /** Exchanges the code for what the next step needs: it becomes that step's history state. */
  verify: (code: string) => Promise<Proof>;
  /** Ends the page when the interaction is over. */
  fail?: (error: ApiError) => void;
}

/** Step 2: the code proves the phone or e-mail, and becomes a ticket. */
export const CodeStep = <Proof extends { ticket: string }>(props: CodeStepProps<Proof>) => {
  const { title, lead, action, purpose, here, identifier, details, verify, fail } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { draft, expired } = readFlowState(useLocation().state);
  const codes = useSendCode(purpose, identifier);
  const hint = useCodeHint(purpose, codes.timer, identifier);
  const problemText = useProblemText();
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState<FormErrors<'code'>>(
    expired ? { form: { code: 'ticket_invalid' } } : {},
  );
  const [unsent, setUnsent] = useState<Problem>();
  const input = useRef<HTMLInputElement>(null);
  useLamp(0.55);

  const clear = () => {
    setErrors({});
    setUnsent(undefined);
  };
  const show = (next: FormErrors<'code'>) => {
    setErrors(next);
    if (next.code) {
      input.current?.focus();
      input.current?.select();
    }
  };
  const confirm = useSubmit(
    async (typed: string) => {
      if (!typed) {
        show({ code: { code: 'code_blank' } });
        return;
      }
      clear();
      const proof = await verify(typed);
      // The code is used up: Back goes to the identifier, not to a code that no longer works.
      navigate(here, { replace: true, state: { draft, step: 'password', identifier, ...proof } });
    },
    (error) => {
      if (error.code === 'interaction_expired' && fail) fail(error);
      else show(toFormErrors(error, ['code']));
    },
  );
  const sending = useSubmit(async () => {
    clear();
    input.current?.focus();
    await codes.send(identifier);
  }, setUnsent);

  return (
    <div className={stack.stack}>
      <FlowHeading
        title={title}
        heading={t('code.title')}
        invalid={Object.keys(errors).length > 0}
        details={details}
      />
      <p className={`${stack.lead} ${stack.linked}`}>
        {lead}{' '}
        <button type="button" className={stack.link} onClick={() => navigate(-1)}>
          {t('code.change')}
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
          refusal={unsent && problemText(unsent)}
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
          {action}
        </Button>
      </form>
    </div>
  );
};
