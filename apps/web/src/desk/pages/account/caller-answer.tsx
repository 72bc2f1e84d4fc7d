import type { CallerCheck } from '@candela/contract';
import { CODE_LENGTH, codeDigits } from '@candela/contract/rules/verification-code';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describedBy, Field, OnlyField } from '../../../flow/components/field.tsx';
import { retype } from '../../../flow/components/retype.ts';
import { call } from '../../../shell/api/client.ts';
import { Button } from '../../../shell/components/button.tsx';
import { type Problem, useProblemText } from '../../../shell/forms/form-errors.ts';
import { useFirstFocus } from '../../../shell/forms/use-first-focus.ts';
import { useSubmit } from '../../../shell/forms/use-submit.ts';
import { act } from '../../queries.ts';
import styles from './caller-card.module.css';

/** The length of each answer: at its last digit it is sent. */
const lengths = { code: CODE_LENGTH, digits: 2 } as const;

interface CallerAnswerProps {
  account: string;
  caller: CallerCheck;
  onAnswered: (checked: CallerCheck) => Promise<void>;
}

/** Takes what the caller says. */
export const CallerAnswer = ({ account, caller, onAnswered }: CallerAnswerProps) => {
  const { t } = useTranslation('desk');
  const problemText = useProblemText();
  const input = useRef<HTMLInputElement>(null);
  const [answer, setAnswer] = useState('');
  const [problem, setProblem] = useState<Problem | 'wrong'>();
  const { way = 'code', to = '', triesLeft, until } = caller;
  useFirstFocus(() => input.current);
  const { busy, run } = useSubmit(
    async (said: string) => {
      setProblem(undefined);
      const params = { id: account };
      const checked = await act(() =>
        call('POST /api/desk/accounts/:id/caller/answer', { params, body: { answer: said } }),
      );
      if (checked.state === 'asked') {
        setProblem('wrong');
        retype(input);
      }
      await onAnswered(checked);
    },
    (error) => {
      setProblem(error.code === 'code_incorrect' ? 'wrong' : error);
      retype(input);
    },
  );
  const error = problem === 'wrong' ? t('desk.account.caller.wrongTry') : problem && problemText(problem);
  const hint = triesLeft === undefined ? undefined : t('desk.account.caller.triesLeft', { count: triesLeft });
  return (
    <form
      className={styles.answer}
      noValidate
      data-until={until}
      onSubmit={(event) => {
        event.preventDefault();
        void run(answer);
      }}
    >
      <p>
        {way === 'code' ? t('desk.account.caller.askedCode', { to }) : t('desk.account.caller.askedDigits')}
      </p>
      <OnlyField value={true}>
        <Field
          id="caller-answer"
          label={way === 'code' ? t('desk.account.caller.answerCode') : t('desk.account.caller.answerDigits')}
          hint={hint}
          error={error}
        >
          <input
            ref={input}
            id="caller-answer"
            type="text"
            inputMode="numeric"
            autoComplete="off"
            value={answer}
            onChange={({ target }) => {
              const said = codeDigits(target.value).slice(0, lengths[way]);
              setAnswer(said);
              if (said.length === lengths[way] && said !== answer) void run(said);
            }}
            {...describedBy('caller-answer', hint, error)}
          />
        </Field>
      </OnlyField>
      <Button type="submit" busy={busy}>
        {t('desk.account.caller.check')}
      </Button>
    </form>
  );
};
