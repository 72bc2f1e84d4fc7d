import type { PageError } from '@candela/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../components/announcer.tsx';
import { FieldAction } from '../../components/field.tsx';
import { Phrase } from '../../components/phrase.tsx';
import styles from './error-reference.module.css';

/** The reference for support, and the OAuth error for the app’s developers. */
export const ErrorReference = ({ error }: { error: PageError }) => {
  const { t } = useTranslation('account');
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(error.requestId);
    setCopied(true);
    announce(t('error.copied'));
  };
  return (
    <div className={styles.reference}>
      <p className={styles.line}>
        <span>
          <Phrase text={(reference) => t('error.reference', { reference })}>
            <code className={styles.code}>{error.requestId}</code>
          </Phrase>
        </span>
        {navigator.clipboard && (
          <FieldAction onClick={() => void copy().catch(() => undefined)}>
            {copied ? t('error.copied') : t('error.copy')}
          </FieldAction>
        )}
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
