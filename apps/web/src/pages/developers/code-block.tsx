import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../components/copy-button.tsx';
import styles from './code-block.module.css';

/** Text for a terminal or a program, with a button that copies it. `label` says what it is. */
export const CodeBlock = ({ label, text }: { label: string; text: string }) => {
  const { t } = useTranslation('developers');
  return (
    <div className={styles.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what is wider than the page */}
      <pre className={styles.text} tabIndex={0} lang="en" translate="no">
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={t('client.copyOf', { what: label })} />
    </div>
  );
};
