import type { ClientListItem } from '@candela/contract';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { describedBy, Field, OnlyField } from '../flow/components/field.tsx';
import { retype } from '../flow/components/retype.ts';
import { Button } from '../shell/components/button.tsx';
import { type Problem, useProblemText } from '../shell/forms/form-errors.ts';
import { useSubmit } from '../shell/forms/use-submit.ts';
import { openPage } from '../shell/navigation/open-page.ts';
import { findReference } from './find-reference.ts';
import { pageOf } from './page-of.ts';
import styles from './reference-form.module.css';

interface ReferenceFormProps {
  /** All clients of the developer, also those that the list does not show yet. */
  fetchAll: () => Promise<ClientListItem[]>;
  /** The reference in the address of the page, which is looked for at once. */
  given: string;
}

/** Opens the error that a reference of an error page, a response or a log names. */
export const ReferenceForm = ({ fetchAll, given }: ReferenceFormProps) => {
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
      const found = wanted && (await findReference(await fetchAll(), wanted));
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
