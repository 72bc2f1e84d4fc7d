import type { InteractionDetails } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import type { ApiError } from '../../shell/api/client.ts';
import { Button } from '../../shell/components/button.tsx';
import column from '../../shell/components/column.module.css';
import { ErrorSummary } from '../../shell/components/error-summary.tsx';
import prose from '../../shell/components/prose.module.css';
import { useFirstFocus } from '../../shell/forms/use-first-focus.ts';
import { useLamp } from '../../shell/frame/flow-frame.tsx';
import { gap } from '../../shell/language/format.ts';
import { useLocale } from '../../shell/language/use-locale.ts';
import link from '../../shell/navigation/link.module.css';
import { CodeEntryField } from '../code-entry/code-entry-field.tsx';
import { useCodeEntry } from '../code-entry/use-code-entry.ts';
import { OnlyField } from '../components/field.tsx';
import { FlowHeading } from '../interaction/flow-heading.tsx';
import { readFlowState } from '../interaction/flow-links.ts';

interface CodeStepProps<Proof> {
  title: string;
  lead: string;
  /** The label of the button. */
  action: string;
  purpose: 'register' | 'recover';
  /** The address of the page that has this step. */
  here: string;
  identifier: string;
  details: InteractionDetails | undefined;
  /** Exchanges the code for a proof. The history state of the next step holds the proof. */
  verify: (code: string) => Promise<Proof>;
  /** Ends the page when the interaction is over. */
  fail?: (error: ApiError) => void;
}

/** Verifies the code, and goes on to the step of the password. */
const useProof = <Proof extends { ticket: string }>(props: CodeStepProps<Proof>) => {
  const { purpose, here, identifier, verify, fail } = props;
  const navigate = useNavigate();
  const { draft, expired } = readFlowState(useLocation().state);
  return useCodeEntry({
    purpose,
    to: identifier,
    ...(expired && { errors: { form: { code: 'ticket_invalid' } } }),
    verify: async (code) => {
      // An outage may refuse a right code. The refusal then has a ticket that stands for the code.
      const proof = await verify(code).catch((error: ApiError) => {
        if (error.ticket) return { ticket: error.ticket };
        throw error;
      });
      // The code is spent, so Back leads to the step of the identifier.
      navigate(here, { replace: true, state: { draft, step: 'password', identifier, ...proof } });
    },
    onRefused: (error) => {
      const isOver = error.code === 'interaction_expired' && fail !== undefined;
      if (isOver) fail(error);
      return isOver;
    },
  });
};

/** Step 2: the code proves the phone or e-mail, and the server answers with a ticket. */
export const CodeStep = <Proof extends { ticket: string }>(props: CodeStepProps<Proof>) => {
  const { title, lead, action, details } = props;
  const { t } = useTranslation();
  const locale = useLocale();
  const navigate = useNavigate();
  const entry = useProof(props);
  const { errors, confirm } = entry;
  useLamp(0.55);
  useFirstFocus(() => entry.input.current);

  return (
    <div className={column.column}>
      <FlowHeading
        title={title}
        heading={t('code.title')}
        invalid={Object.keys(errors).length > 0}
        details={details}
      />
      <p className={`${prose.lead} ${prose.linked}`}>
        {lead}
        {gap(locale)}
        <button type="button" className={link.link} onClick={() => navigate(-1)}>
          {t('code.change')}
        </button>
      </p>
      <form
        className={column.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          confirm.run(entry.code);
        }}
      >
        <ErrorSummary errors={errors.form ? { form: errors.form } : {}} fields={[]} />
        <OnlyField value={true}>
          <CodeEntryField id="code" entry={entry} sent />
        </OnlyField>
        <Button look="primary" type="submit" className={column.submit} busy={confirm.busy}>
          {action}
        </Button>
      </form>
    </div>
  );
};
