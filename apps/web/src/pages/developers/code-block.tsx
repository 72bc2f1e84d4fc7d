import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../components/announcer.tsx';
import { FieldAction } from '../../components/field.tsx';
import styles from './code-block.module.css';

/** Text for a terminal or a program, with a button that copies it. */
export const CodeBlock = ({ text, label }: { text: string; label: string }) => {
  const { t } = useTranslation('developers');
  const [copied, setCopied] = useState('');
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
    announce(t('trial.copied'));
  };
  return (
    <div className={styles.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what is wider than the page */}
      <section className={styles.scroll} tabIndex={0} aria-label={label}>
        <pre className={styles.code} lang="en" translate="no">
          {text}
        </pre>
      </section>
      {navigator.clipboard && (
        <div className={styles.action}>
          <FieldAction onClick={() => void copy().catch(() => undefined)}>
            {copied === text ? t('trial.copied') : t('trial.copy')}
          </FieldAction>
        </div>
      )}
    </div>
  );
};
