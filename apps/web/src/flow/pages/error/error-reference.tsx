import type { PageError } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../components/copy-button.tsx';
import { Phrase } from '../../components/phrase.tsx';
import styles from './error-reference.module.css';

/** The reference for support, and the OAuth error for the app’s developers. */
export const ErrorReference = ({ error }: { error: PageError }) => {
  const { t } = useTranslation('account');
  return (
    <div className={styles.reference}>
      <p className={styles.line}>
        <span>
          <Phrase text={(reference) => t('error.reference', { reference })}>
            <code className={styles.code}>{error.requestId}</code>
          </Phrase>
        </span>
        <CopyButton text={error.requestId} />
      </p>
      {error.oauthError && (
        <details className={styles.details}>
          <summary>{t('error.details')}</summary>
          <p>
            <code className={styles.code}>{error.oauthError}</code>
          </p>
          {error.oauthErrorDescription && (
            <p lang="en" className={styles.description}>
              {error.oauthErrorDescription}
            </p>
          )}
        </details>
      )}
    </div>
  );
};
