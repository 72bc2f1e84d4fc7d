import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../shell/components/button.tsx';
import { type Problem, useProblemText } from '../../shell/forms/form-errors.ts';
import styles from './list-states.module.css';

/** Reports that a list, or the thing that `title` names, did not load, with a button to try again. */
export const ListFailure = ({
  title,
  error,
  busy,
  onRetry,
}: {
  title?: string;
  error: Problem;
  busy: boolean;
  onRetry: () => void;
}) => {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const isOffline = error.code === 'offline' && !navigator.onLine;
  return (
    <div className={styles.state} role="alert">
      <p className={styles.title}>{isOffline ? t('list.offlineTitle') : (title ?? t('list.failedTitle'))}</p>
      <p className={styles.text}>{isOffline ? t('list.offlineText') : problemText(error)}</p>
      <Button busy={busy} onClick={onRetry}>
        {t('app.retry')}
      </Button>
    </div>
  );
};

interface ListEmptyProps {
  title: string;
  /** What a person can do about it. */
  action?: ReactNode;
  children?: ReactNode;
}

/** An empty list. The children say which records it would show. */
export const ListEmpty = ({ title, action, children }: ListEmptyProps) => (
  <div className={styles.state}>
    <span className={styles.unlit} aria-hidden="true" />
    <p className={styles.title}>{title}</p>
    {children && <p className={styles.text}>{children}</p>}
    {action}
  </div>
);
