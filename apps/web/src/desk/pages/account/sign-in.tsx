import type { DeskAccount } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { serverNow } from '../../../shell/api/client.ts';
import { FindingNote } from './finding-note.tsx';
import { findingsOf, verdictOf } from './findings.ts';
import styles from './sign-in.module.css';

/** Whether the person can sign in, and what else the call may be about. */
export const SignIn = ({ account }: { account: DeskAccount }) => {
  const { t } = useTranslation('desk');
  const { lastAt } = account.signIn;
  const verdict = verdictOf(account);
  return (
    <section className={styles.signIn} data-section="sign-in" aria-labelledby="desk-verdict">
      <h2 id="desk-verdict" className={styles.verdict} data-verdict={verdict}>
        {t(`desk.account.${verdict}`)}
      </h2>
      <p className={styles.last}>
        {lastAt ? (
          <Phrase text={(when) => t('desk.account.lastAt', { when })}>
            <Moment at={lastAt} show="both" />
          </Phrase>
        ) : (
          t('desk.account.lastUnknown')
        )}
      </p>
      <div className={styles.findings}>
        {findingsOf(account, serverNow()).map((finding) => (
          <FindingNote key={finding.key} finding={finding} />
        ))}
      </div>
    </section>
  );
};
