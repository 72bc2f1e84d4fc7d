import type { TrustedBrowser } from '@candela/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, call } from '../../../api/client.ts';
import { useDeviceName } from '../../../components/device-facts.tsx';
import { Moment } from '../../../components/moment.tsx';
import { Phrase } from '../../../components/phrase.tsx';
import { notify } from '../../../components/toast.tsx';
import { type Problem, useProblemText } from '../../../forms/form-errors.ts';
import { useSubmit } from '../../../forms/use-submit.ts';
import row from '../account-rows.module.css';
import { SettingRow } from '../setting-row.tsx';
import { focusWay } from './focus-way.ts';
import { trustedBrowsersQuery } from './queries.ts';
import { RowAction } from './row-action.tsx';
import { useWaysChange } from './use-ways-change.ts';
import styles from './ways-section.module.css';

const BrowserItem = ({ browser }: { browser: TrustedBrowser }) => {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const deviceName = useDeviceName();
  const changed = useWaysChange();
  const [problem, setProblem] = useState<Problem>();
  const { id, current, lastUsedAt, expiresAt } = browser;
  const name = deviceName(browser);
  const { busy, run } = useSubmit(async () => {
    setProblem(undefined);
    await call('DELETE /api/trusted-browsers/:id', { params: { id } }).catch((error: unknown) => {
      // It was ended elsewhere: the result is the same.
      if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
    });
    await changed();
    notify(t('app.done'));
    focusWay('second-step');
  }, setProblem);
  return (
    <li>
      <p>{current ? t('ways.trusted.current', { browser: name }) : name}</p>
      <p className={styles.facts}>
        <span>
          <Phrase text={(when) => t('ways.trusted.used', { when })}>
            <Moment at={lastUsedAt} show="distance" />
          </Phrase>
        </span>
        <span>
          <Phrase text={(when) => t('ways.trusted.until', { when })}>
            <Moment at={expiresAt} />
          </Phrase>
        </span>
      </p>
      <div className={styles.actions}>
        <RowAction label={t('ways.trusted.end')} what={name} busy={busy} onPress={() => void run()} />
      </div>
      {problem && (
        <p className={row.problem} role="alert">
          {problemText(problem)}
        </p>
      )}
    </li>
  );
};

/** The row of the browsers that are not asked for the second step; absent where there are none. */
export const TrustedBrowsersRow = () => {
  const { t } = useTranslation('account');
  const { data } = useQuery(trustedBrowsersQuery);
  if (!data?.items.length) return null;
  return (
    <SettingRow id="trusted-browsers" label={t('ways.trusted.label')} actions={[]}>
      <ul className={styles.list}>
        {data.items.map((browser) => (
          <BrowserItem key={browser.id} browser={browser} />
        ))}
      </ul>
    </SettingRow>
  );
};
