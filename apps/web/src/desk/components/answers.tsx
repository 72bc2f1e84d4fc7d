import { prepareDialog } from '../../flow/dialog/dialog.tsx';
import { Button } from '../../shell/components/button.tsx';
import filters from './filters.module.css';

interface AnswerText {
  text: string;
  /** Says whom the answer is about, too. */
  label: string;
}

interface AnswersProps {
  /** Absent where only the other one may be given. */
  yes?: AnswerText;
  no: AnswerText;
  onAnswer: (approve: boolean) => void;
}

/** The two answers to what somebody asks for, equal in weight. Each opens a dialog. */
export const Answers = ({ yes, no, onAnswer }: AnswersProps) => {
  const button = ({ text, label }: AnswerText, approve: boolean) => (
    <Button
      className={filters.answer}
      aria-label={label}
      onClick={() => {
        prepareDialog();
        onAnswer(approve);
      }}
    >
      {text}
    </Button>
  );
  return (
    <span className={filters.answers}>
      {yes && button(yes, true)}
      {button(no, false)}
    </span>
  );
};
