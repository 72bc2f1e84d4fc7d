import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describedBy, Field, OnlyField } from '../flow/components/field.tsx';
import { call } from '../shell/api/client.ts';
import { Button } from '../shell/components/button.tsx';
import column from '../shell/components/column.module.css';
import { type Problem, useProblemText } from '../shell/forms/form-errors.ts';
import { useSubmit } from '../shell/forms/use-submit.ts';
import styles from './not-allowed.module.css';
import { accessQuery } from './queries.ts';

/** Asks the brand to be allowed to register apps, with a sentence why. */
export const AskForAccess = () => {
  const { t } = useTranslation('developers');
  const queries = useQueryClient();
  const problemText = useProblemText();
  const input = useRef<HTMLInputElement>(null);
  const [why, setWhy] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const refuse = (refused: Problem) => {
    setProblem(refused);
    input.current?.focus();
  };
  const { busy, run } = useSubmit(async () => {
    setProblem(undefined);
    const access = await call('POST /api/developer-access', { body: { why } });
    queries.setQueryData(accessQuery.queryKey, access);
  }, refuse);
  const textOf = (refused: Problem): string => {
    if (refused.code === 'reason_blank') return t('developers.access.blank');
    return refused.code === 'reason_too_long' ? t('developers.access.long') : problemText(refused);
  };
  const error = problem && textOf(problem);
  const hint = t('developers.access.hint');
  return (
    <form
      className={`${column.form} ${styles.form}`}
      noValidate
      data-edited={why ? '' : undefined}
      onSubmit={(event) => {
        event.preventDefault();
        if (why.trim()) void run();
        else refuse({ code: 'reason_blank' });
      }}
    >
      <OnlyField value={true}>
        <Field id="access-why" label={t('developers.access.why')} hint={hint} error={error}>
          <input
            ref={input}
            id="access-why"
            type="text"
            autoComplete="off"
            value={why}
            onChange={({ target }) => setWhy(target.value)}
            {...describedBy('access-why', hint, error)}
          />
        </Field>
      </OnlyField>
      <Button look="primary" type="submit" busy={busy}>
        {t('developers.access.ask')}
      </Button>
    </form>
  );
};
