import type { Authorization } from '@candela/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { call } from '../../../shell/api/client.ts';
import { Button } from '../../../shell/components/button.tsx';
import { type Problem, useProblemText } from '../../../shell/forms/form-errors.ts';
import { authorizationsQuery } from '../../account/queries.ts';
import { useSensitiveSubmit } from '../../account/step-up.ts';
import { notify } from '../../components/toast.tsx';
import styles from './link-state.module.css';

const SOON_MS = 60 * 86_400_000;

/** Whether a link ends so soon, however often it is used, that its person is to hear of it. */
export const endsSoon = ({ link }: Authorization): boolean =>
  link?.endsAt !== undefined && new Date(link.endsAt).getTime() - Date.now() < SOON_MS;

/** When a link ends, and the button that lets it last for another term. */
export const LinkEnd = ({ authorization, endsAt }: { authorization: Authorization; endsAt: string }) => {
  const { t } = useTranslation('security');
  const problemText = useProblemText();
  const client = useQueryClient();
  const [problem, setProblem] = useState<Problem>();
  const { id, client: app, label } = authorization;
  const { busy, run } = useSensitiveSubmit(async () => {
    setProblem(undefined);
    await call('POST /api/authorizations/:id/renew', { params: { id } });
    await client.refetchQueries({ queryKey: authorizationsQuery.queryKey });
    notify(t('app.done'));
  }, setProblem);
  return (
    <div className={styles.end}>
      <p className={styles.state} data-warns="">
        <Phrase text={(when) => t('links.ends', { when })}>
          <Moment at={endsAt} show="date" />
        </Phrase>
      </p>
      <Button
        aria-label={t('links.renewOf', { app: label ?? app.name })}
        busy={busy}
        onClick={() => void run()}
      >
        {t('links.renew')}
      </Button>
      {problem && (
        <p className={styles.problem} role="alert">
          {problemText(problem)}
        </p>
      )}
    </div>
  );
};
