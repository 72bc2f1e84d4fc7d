import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import type { ApiError } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { ErrorSummary } from '../../components/error-summary.tsx';
import { useLamp } from '../../components/flow-frame.tsx';
import { IdentifierField } from '../../components/identifier-field.tsx';
import stack from '../../components/stack.module.css';
import { type FormErrors, toFormErrors, useProblemText } from '../../forms/form-errors.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useDraft } from '../../identifier/use-draft.ts';
import { AbortLink } from '../../interaction/abort-link.tsx';
import { FlowHeading } from '../../interaction/flow-heading.tsx';
import { flowUrl, readFlowState } from '../../interaction/flow-links.ts';
import type { ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import { useSendCode } from '../../interaction/use-send-code.ts';

/** Step 1: who are you. A code goes to the phone or e-mail. */
export const IdentifyStep = ({ uid, details, fail }: ReadyInteraction) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const flow = readFlowState(useLocation().state);
  const identifier = useDraft(flow.draft ?? details.loginHint);
  const codes = useSendCode('register', identifier.current);
  const problemText = useProblemText();
  const [errors, setErrors] = useState<FormErrors<'identifier'>>({});
  const input = useRef<HTMLInputElement>(null);
  useLamp(identifier.looksRight ? 0.4 : 0.2);

  const show = (next: FormErrors<'identifier'>) => {
    setErrors(next);
    if (next.identifier) input.current?.focus();
  };
  const refuse = (error: ApiError) => {
    if (error.code === 'interaction_expired') fail(error);
    else show(toFormErrors(error, ['identifier']));
  };
  const { busy, submit } = useSubmit(async () => {
    const checked = await identifier.check();
    if ('error' in checked) {
      show({ identifier: { code: checked.error } });
      return;
    }
    setErrors({});
    // A code that was just sent is still good: coming back here does not ask for another.
    if (codes.seconds === 0 || identifier.current !== checked.identifier)
      await codes.send(checked.identifier);
    const here = flowUrl('/register', uid);
    navigate(here, { replace: true, state: { draft: identifier.draft } });
    navigate(here, {
      state: { draft: identifier.draft, step: 'code', identifier: checked.identifier },
    });
  }, refuse);

  return (
    <div className={stack.stack}>
      <FlowHeading title={t('register.title')} invalid={Object.keys(errors).length > 0} details={details} />
      <form
        className={stack.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <ErrorSummary errors={errors.form ? { form: errors.form } : {}} fields={[]} />
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
        <Button look="primary" type="submit" className={stack.submit} busy={busy}>
          {t('register.next')}
        </Button>
      </form>
      <div className={stack.tail}>
        <p className={`${stack.links} ${stack.linked}`}>
          <span>
            {t('register.haveAccount')}{' '}
            <Link to={flowUrl('/login', uid)} state={{ draft: identifier.draft }}>
              {t('register.signIn')}
            </Link>
          </span>
        </p>
        <AbortLink uid={uid} details={details} onError={refuse} />
      </div>
    </div>
  );
};
