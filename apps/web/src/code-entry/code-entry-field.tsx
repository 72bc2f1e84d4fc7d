import { useProblemText } from '../forms/form-errors.ts';
import { CodeField } from './code-field.tsx';
import { SendCodeButton } from './send-code-button.tsx';
import type { CodeEntry } from './use-code-entry.ts';

interface CodeEntryFieldProps {
  id: string;
  entry: CodeEntry;
  /** Whether a code is on its way already. */
  sent: boolean;
}

/** The field of a `useCodeEntry`, with the button that sends the code. */
export const CodeEntryField = ({ id, entry, sent }: CodeEntryFieldProps) => {
  const problemText = useProblemText();
  const { codes, code, errors, unsent, confirm, sending } = entry;
  return (
    <CodeField
      id={id}
      round={codes.timer?.sent ?? 0}
      value={code}
      hint={entry.hint}
      error={errors.code && problemText(errors.code)}
      refusal={unsent && problemText(unsent)}
      inputRef={entry.input}
      action={
        <SendCodeButton
          sent={sent}
          seconds={codes.seconds}
          busy={sending.busy}
          onSend={() => sending.submit()}
        />
      }
      onChange={entry.setCode}
      onComplete={(typed) => confirm.submit(typed)}
      onBlur={entry.leave}
    />
  );
};
