import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { describedBy, Field, OnlyField } from '../flow/components/field.tsx';
import { retype } from '../flow/components/retype.ts';
import { ApiError, call } from '../shell/api/client.ts';
import { Button } from '../shell/components/button.tsx';
import { type Problem, useProblemText } from '../shell/forms/form-errors.ts';
import { useSubmit } from '../shell/forms/use-submit.ts';
import { openPage } from '../shell/navigation/open-page.ts';
import { pageOf } from './page-of.ts';
import styles from './reference-form.module.css';

/** The id of the client that has the error of a reference; undefined where none of the developer’s has. */
const findClientOf = async (reference: string): Promise<string | undefined> => {
  try {
    return (await call('GET /api/errors/:reference', { params: { reference } })).client_id;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  }
};

/**
 * Opens the error that a reference of an error page, a response or a log names. `given` is the reference in the address
 * of the page, which is looked for at once.
 */
export const ReferenceForm = ({ given }: { given: string }) => {
  const { t } = useTranslation('developers');
  const id = useId();
  const problemText = useProblemText();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [reference, setReference] = useState(given);
  const [problem, setProblem] = useState<Problem | 'none'>();
  const { busy, run } = useSubmit(
    async (wanted: string) => {
      setProblem(undefined);
      const found = wanted && (await findClientOf(wanted));
      if (!found) {
        setProblem('none');
        return retype(input);
      }
      const path = `${pageOf(found)}?reference=${encodeURIComponent(wanted)}#errors`;
      await openPage(path, () => navigate(path, { replace: wanted === given }));
    },
    (error) => {
      setProblem(error);
      retype(input);
    },
  );
  const looked = useRef(false);
  useEffect(() => {
    if (!given || looked.current) return;
    looked.current = true;
    void run(given);
  });
  const error = problem === 'none' ? t('developers.reference.none') : problem && problemText(problem);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void run(reference.trim());
      }}
    >
      <OnlyField value={true}>
        <Field
          id={id}
          label={t('developers.reference.label')}
          hint={t('developers.reference.hint')}
          error={error}
        >
          <input
            ref={input}
            id={id}
            type="text"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={200}
            value={reference}
            onChange={(event) => setReference(event.target.value)}
            {...describedBy(id, true, error)}
          />
        </Field>
      </OnlyField>
      <Button className={styles.button} type="submit" busy={busy}>
        {t('developers.reference.find')}
      </Button>
    </form>
  );
};
