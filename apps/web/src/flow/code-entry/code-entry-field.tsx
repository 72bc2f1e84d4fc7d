import { useProblemText } from '../../shell/forms/form-errors.ts';
import { CodeField } from './code-field.tsx';
import { SendCodeButton } from './send-code-button.tsx';
import type { CodeEntry } from './use-code-entry.ts';

interface CodeEntryFieldProps {
  id: string;
  entry: CodeEntry;
  /** Whether a code was sent already. */
  sent: boolean;
}

/** The field for a code, with the button that sends one. */
export const CodeEntryField = ({ id, entry, sent }: CodeEntryFieldProps) => {
  const problemText = useProblemText();
  const { seconds, problem, unsent, sending } = entry;
  return (
    <CodeField
      id={id}
      value={entry.code}
      hint={entry.hint}
      error={problem && problemText(problem)}
      refusal={unsent && problemText(unsent)}
      inputRef={entry.input}
      action={
        <SendCodeButton sent={sent} seconds={seconds} busy={sending.busy} onSend={() => sending.run()} />
      }
      onChange={entry.setCode}
      onComplete={entry.complete}
    />
  );
};
