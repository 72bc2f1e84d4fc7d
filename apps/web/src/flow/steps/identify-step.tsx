import type { InteractionDetails } from '@candela/contract';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import type { ApiError } from '../../shell/api/client.ts';
import { Button } from '../../shell/components/button.tsx';
import column from '../../shell/components/column.module.css';
import { ErrorSummary } from '../../shell/components/error-summary.tsx';
import prose from '../../shell/components/prose.module.css';
import { type FormErrors, toFormErrors, useProblemText } from '../../shell/forms/form-errors.ts';
import { hasOwnKeyboard, useFirstFocus } from '../../shell/forms/use-first-focus.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';
import { useLamp } from '../../shell/frame/flow-frame.tsx';
import { useSendCode } from '../code-entry/use-send-code.ts';
import { OnlyField } from '../components/field.tsx';
import type { IdentifierDraft } from '../identifier/draft.ts';
import { IdentifierField } from '../identifier/identifier-field.tsx';
import { useDraft } from '../identifier/use-draft.ts';
import { FlowHeading } from '../interaction/flow-heading.tsx';
import { readFlowState } from '../interaction/flow-links.ts';

interface IdentifyStepProps {
  title: string;
  /** The text of the heading, if other than the page’s title. */
  heading?: string;
  /** Stands between the heading and the words. */
  above?: ReactNode;
  lead?: string;
  purpose: 'register' | 'recover';
  /** The address of the page that has this step. */
  here: string;
  details: InteractionDetails | undefined;
  /** The links below the form. */
  tail: (form: { draft: IdentifierDraft; refuse: (error: ApiError) => void }) => ReactNode;
}

/** Checks the identifier, sends it a code, and goes on to the step of the code. */
const useSending = (purpose: IdentifyStepProps['purpose'], here: string, hint: string | undefined) => {
  const navigate = useNavigate();
  const flow = readFlowState(useLocation().state);
  const identifier = useDraft(flow.draft ?? hint);
  const codes = useSendCode(purpose, identifier.current);
  const [errors, setErrors] = useState<FormErrors<'identifier'>>({});
  const input = useRef<HTMLInputElement>(null);

  const show = (next: FormErrors<'identifier'>) => {
    setErrors(next);
    if (next.identifier) input.current?.focus();
  };
  const refuse = (error: ApiError) => show(toFormErrors(error, ['identifier']));
  const { busy, run } = useSubmit(async () => {
    const checked = await identifier.check();
    if ('error' in checked) {
      show({ identifier: { code: checked.error } });
      return;
    }
    setErrors({});
    // The last code still works while the countdown runs, so the step of the code opens without another.
    if (codes.seconds === 0 || identifier.current !== checked.identifier)
      await codes.send(checked.identifier);
    navigate(here, { replace: true, state: { draft: identifier.draft } });
    navigate(here, {
      state: { draft: identifier.draft, step: 'code', identifier: checked.identifier },
    });
  }, refuse);
  return { identifier, input, errors, setErrors, refuse, busy, run };
};

/** Step 1: the phone or e-mail, to which a code is sent. */
export const IdentifyStep = ({ title, heading, above, lead, ...props }: IdentifyStepProps) => {
  const { purpose, here, details, tail } = props;
  const { t } = useTranslation();
  const { identifier, input, errors, setErrors, refuse, busy, run } = useSending(
    purpose,
    here,
    details?.loginHint,
  );
  const problemText = useProblemText();
  useLamp(identifier.looksRight ? 0.4 : 0.2);
  useFirstFocus(() => (hasOwnKeyboard() ? input.current : null));

  return (
    <div className={column.column}>
      <FlowHeading
        title={title}
        {...(heading && { heading })}
        invalid={Object.keys(errors).length > 0}
        details={details}
      />
      {above}
      {lead && <p className={prose.lead}>{lead}</p>}
      <form
        className={column.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <OnlyField value={true}>
          <IdentifierField
            id="identifier"
            draft={identifier.draft}
            book={identifier.book}
            inputRef={input}
            error={errors.identifier && problemText(errors.identifier)}
            autoComplete={identifier.draft.kind === 'phone' ? 'tel' : 'email'}
            onText={identifier.setText}
            onCountry={identifier.setCountry}
            onKind={(kind) => {
              setErrors({});
              identifier.setKind(kind);
            }}
            onEnter={identifier.prepare}
            onBlur={() => {
              if (errors.identifier && identifier.looksRight) setErrors({});
            }}
          />
        </OnlyField>
        {/* The error stands beside the button, because the sending failed. */}
        <ErrorSummary errors={errors.form ? { form: errors.form } : {}} fields={[]} />
        <Button look="primary" type="submit" className={column.submit} busy={busy}>
          {t('code.send')}
        </Button>
      </form>
      <div className={column.tail}>{tail({ draft: identifier.draft, refuse })}</div>
    </div>
  );
};
