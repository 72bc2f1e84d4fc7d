import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Phrase } from '../../flow/components/phrase.tsx';
import { call } from '../../shell/api/client.ts';
import { Button } from '../../shell/components/button.tsx';
import { type Problem, useProblemText } from '../../shell/forms/form-errors.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';
import { formatHour } from '../../shell/language/format.ts';
import { useLocale } from '../../shell/language/use-locale.ts';
import { deskQuery } from '../queries.ts';
import { useStaff } from '../staff.ts';
import styles from './desk-hours.module.css';
import { lookup } from './lookup.ts';

/** The role of the member of staff, until when the desk is open, and the way to close it. */
export const DeskHours = () => {
  const { t } = useTranslation('desk');
  const locale = useLocale();
  const client = useQueryClient();
  const problemText = useProblemText();
  const { role, open } = useStaff();
  const [problem, setProblem] = useState<Problem>();
  const { busy, run } = useSubmit(async () => {
    setProblem(undefined);
    await call('DELETE /api/desk/session');
    lookup.set(undefined);
    client.removeQueries({ queryKey: ['desk', 'account'] });
    await client.invalidateQueries({ queryKey: deskQuery.queryKey });
  }, setProblem);
  return (
    <div className={styles.hours}>
      <p>
        {t(`desk.roles.${role}`)}
        {open && (
          <>
            {' · '}
            <Phrase text={(when) => t('desk.open.until', { when })}>
              <time dateTime={open.endsAt}>{formatHour(new Date(open.endsAt), locale)}</time>
            </Phrase>
          </>
        )}
      </p>
      <Button look="text" busy={busy} onClick={() => void run()}>
        {t('desk.open.close')}
      </Button>
      {problem && <p role="alert">{problemText(problem)}</p>}
    </div>
  );
};
