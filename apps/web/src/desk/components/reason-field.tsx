import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { describedBy, Field, OnlyField } from '../../flow/components/field.tsx';
import { type Problem, useProblemText } from '../../shell/forms/form-errors.ts';
import { useFirstFocus } from '../../shell/forms/use-first-focus.ts';

interface ReasonFieldProps {
  inputRef: RefObject<HTMLInputElement | null>;
  /** The text is a note for whoever answers next. */
  note?: boolean;
  value: string;
  problem: Problem | undefined;
  onChange: (text: string) => void;
}

/** A line for the reason of an act. Enter sends the form; a text that is too long is refused, and none of it is lost. */
export const ReasonField = ({ inputRef, note = false, value, problem, onChange }: ReasonFieldProps) => {
  const { t } = useTranslation('desk');
  const problemText = useProblemText();
  useFirstFocus(() => inputRef.current);
  const error = problem && problemText(problem);
  const hint = note ? t('desk.acts.noteHint') : t('desk.acts.reasonHint');
  return (
    <OnlyField value={true}>
      <Field id="reason" label={note ? t('desk.acts.note') : t('desk.acts.reason')} hint={hint} error={error}>
        <input
          ref={inputRef}
          id="reason"
          type="text"
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          {...describedBy('reason', hint, error)}
        />
      </Field>
    </OnlyField>
  );
};
