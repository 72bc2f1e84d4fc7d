import type { IdentifierChange } from '@candela/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { wholeIdentifier } from '../../../flow/identifier/dial-code.ts';
import { call } from '../../../shell/api/client.ts';
import { type Problem, useProblemText } from '../../../shell/forms/form-errors.ts';
import { useSubmit } from '../../../shell/forms/use-submit.ts';
import { accountQuery } from '../../account/queries.ts';
import { notify } from '../../components/toast.tsx';
import styles from './account-rows.module.css';
import { focusRow } from './focus-row.ts';

/** A waiting change of a phone or e-mail in its row, with a button that cancels the change. */
export const WaitingChange = ({ change }: { change: IdentifierChange }) => {
  const { t } = useTranslation('account');
  const client = useQueryClient();
  const problemText = useProblemText();
  const [problem, setProblem] = useState<Problem>();
  const { id, kind, identifier, dueAt } = change;
  const { busy, run } = useSubmit(
    async () => {
      setProblem(undefined);
      await call('DELETE /api/account/changes/:id', { params: { id } });
      await client.invalidateQueries({ queryKey: accountQuery.queryKey });
      notify(t('settings.wait.cancelled'));
      focusRow(kind);
    },
    (error) => {
      setProblem(error);
      // The change was made or cancelled meanwhile.
      if (error.code === 'not_found') void client.invalidateQueries({ queryKey: accountQuery.queryKey });
    },
  );
  return (
    <div className={styles.change}>
      <p>
        <Phrase
          text={(when) =>
            identifier
              ? t('settings.wait.changes', { identifier: wholeIdentifier(identifier), when })
              : t('settings.wait.removed', { when })
          }
        >
          <Moment at={dueAt} show="distance" />
        </Phrase>
      </p>
      <p className={styles.quiet}>
        <Moment at={dueAt} show="zoned" />
      </p>
      <button
        type="button"
        className={styles.cancel}
        aria-disabled={busy || undefined}
        aria-label={t('settings.actionOf', {
          action: t('settings.wait.cancel'),
          what: t(`personal.${kind}`),
        })}
        onClick={() => run()}
      >
        {t('settings.wait.cancel')}
      </button>
      {problem && (
        <p className={styles.problem} role="alert">
          {problemText(problem)}
        </p>
      )}
    </div>
  );
};
