import type { InteractionDetails } from '@candela/contract';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import type { ApiError } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import column from '../components/column.module.css';
import { ErrorSummary } from '../components/error-summary.tsx';
import { OnlyField } from '../components/field.tsx';
import prose from '../components/prose.module.css';
import { type FormErrors, toFormErrors, useProblemText } from '../forms/form-errors.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { useLamp } from '../frame/flow-frame.tsx';
import type { IdentifierDraft } from '../identifier/draft.ts';
import { IdentifierField } from '../identifier/identifier-field.tsx';
import { useDraft } from '../identifier/use-draft.ts';
import { FlowHeading } from '../interaction/flow-heading.tsx';
import { readFlowState } from '../interaction/flow-links.ts';
import { useSendCode } from './use-send-code.ts';

interface IdentifyStepProps {
  title: string;
  lead?: string;
  purpose: 'register' | 'recover';
  /** The address of the page whose step this is. */
  here: string;
  details: InteractionDetails | undefined;
  /** The ways out, below the form. */
  tail: (form: { draft: IdentifierDraft; refuse: (error: ApiError) => void }) => ReactNode;
}

/** Step 1: who are you. A code goes to the phone or e-mail. */
export const IdentifyStep = ({ title, lead, purpose, here, details, tail }: IdentifyStepProps) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const flow = readFlowState(useLocation().state);
  const identifier = useDraft(flow.draft ?? details?.loginHint);
  const codes = useSendCode(purpose, identifier.current);
  const problemText = useProblemText();
  const [errors, setErrors] = useState<FormErrors<'identifier'>>({});
  const input = useRef<HTMLInputElement>(null);
  useLamp(identifier.looksRight ? 0.4 : 0.2);

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
    // A code that was just sent is still good: coming back here does not ask for another.
    if (codes.seconds === 0 || identifier.current !== checked.identifier)
      await codes.send(checked.identifier);
    navigate(here, { replace: true, state: { draft: identifier.draft } });
    navigate(here, {
      state: { draft: identifier.draft, step: 'code', identifier: checked.identifier },
    });
  }, refuse);

  return (
    <div className={column.column}>
      <FlowHeading title={title} invalid={Object.keys(errors).length > 0} details={details} />
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
        {/* Beside the button: it is the sending that failed. */}
        <ErrorSummary errors={errors.form ? { form: errors.form } : {}} fields={[]} />
        <Button look="primary" type="submit" className={column.submit} busy={busy}>
          {t('code.send')}
        </Button>
      </form>
      <div className={column.tail}>{tail({ draft: identifier.draft, refuse })}</div>
    </div>
  );
};
