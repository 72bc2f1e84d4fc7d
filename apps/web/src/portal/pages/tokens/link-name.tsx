import type { Authorization } from '@candela/contract';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describedBy, Field, OnlyField } from '../../../flow/components/field.tsx';
import { retype } from '../../../flow/components/retype.ts';
import { call } from '../../../shell/api/client.ts';
import { Button } from '../../../shell/components/button.tsx';
import { type Problem, useProblemText } from '../../../shell/forms/form-errors.ts';
import { useSubmit } from '../../../shell/forms/use-submit.ts';
import { authorizationsQuery } from '../../account/queries.ts';
import { notify } from '../../components/toast.tsx';
import styles from './link-name.module.css';

interface LinkNameProps {
  authorization: Authorization;
  onClose: () => void;
}

/** A field in place of the name of a link. Enter saves, Escape leaves the name as it was. */
export const LinkNameForm = ({ authorization, onClose }: LinkNameProps) => {
  const { t } = useTranslation('security');
  const problemText = useProblemText();
  const client = useQueryClient();
  const { id, label = '' } = authorization;
  const [text, setText] = useState(label);
  const [problem, setProblem] = useState<Problem>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => retype(input), []);
  const { busy, run } = useSubmit(
    async () => {
      setProblem(undefined);
      await call('PATCH /api/authorizations/:id', { params: { id }, body: { label: text.trim() || null } });
      await client.refetchQueries({ queryKey: authorizationsQuery.queryKey });
      notify(t('app.done'));
      onClose();
    },
    (refusal) => {
      setProblem(refusal);
      input.current?.focus();
    },
  );
  const undo = (event: KeyboardEvent) => {
    // An input method closes its list of words by Escape too.
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.stopPropagation();
    onClose();
  };
  const error = problem && problemText(problem);
  const field = `name-${id}`;
  return (
    <form
      className={styles.form}
      noValidate
      data-edited={text === label ? undefined : ''}
      onKeyDown={undo}
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <OnlyField value={true}>
        <Field id={field} label={t('links.label')} hint={t('links.labelHint')} error={error}>
          <input
            ref={input}
            id={field}
            type="text"
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
            {...describedBy(field, true, error)}
          />
        </Field>
      </OnlyField>
      <div className={styles.actions}>
        <Button look="primary" type="submit" busy={busy}>
          {t('links.save')}
        </Button>
        <Button onClick={onClose}>{t('app.cancel')}</Button>
      </div>
    </form>
  );
};
