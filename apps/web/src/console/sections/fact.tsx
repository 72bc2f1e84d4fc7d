import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../flow/components/copy-button.tsx';
import card from '../../portal/components/card.module.css';
import styles from './fact.module.css';

/** A list of `Fact`. */
export const FactList = ({ children }: { children: ReactNode }) => (
  <dl className={`${card.card} ${styles.facts}`}>{children}</dl>
);

/** A name and its value, with a button that copies the value where a program or a console needs it. */
export const Fact = ({ label, copy, children }: { label: string; copy?: string; children?: ReactNode }) => {
  const { t } = useTranslation('developers');
  return (
    <div className={styles.fact}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{children ?? <code translate="no">{copy}</code>}</dd>
      {copy !== undefined && (
        <dd className={styles.copy}>
          <CopyButton small text={copy} label={t('client.copyOf', { what: label })} />
        </dd>
      )}
    </div>
  );
};
