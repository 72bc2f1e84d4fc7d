import type { HTMLInputTypeAttribute, ReactNode } from 'react';
import { afterPress } from '../flow/components/after-press.ts';
import { describedBy, Field } from '../flow/components/field.tsx';
import { type Problem, useProblemText } from '../shell/forms/form-errors.ts';

interface TextFieldProps {
  id: string;
  label: string;
  hint?: string | undefined;
  problem?: Problem | undefined;
  value: string;
  type?: HTMLInputTypeAttribute;
  maxLength?: number;
  placeholder?: string;
  /** A button beside the label. */
  action?: ReactNode;
  onChange: (value: string) => void;
  onLeave?: () => void;
}

/** A line of text in a form of metadata. */
export const TextField = (props: TextFieldProps) => {
  const { id, label, hint, problem, type = 'text', action, onChange, onLeave, ...rest } = props;
  const problemText = useProblemText();
  const error = problem && problemText(problem);
  return (
    <Field id={id} label={label} labelAction={action} hint={hint} error={error}>
      <input
        {...rest}
        id={id}
        type={type}
        autoComplete="off"
        {...(type === 'url' && { inputMode: 'url' as const })}
        {...(type !== 'text' && { autoCapitalize: 'none', spellCheck: false })}
        onChange={(event) => onChange(event.target.value)}
        onBlur={() => onLeave && afterPress(onLeave)}
        {...describedBy(id, hint, error)}
      />
    </Field>
  );
};
