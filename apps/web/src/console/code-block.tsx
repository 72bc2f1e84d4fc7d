import { useTranslation } from 'react-i18next';
import { CopyButton } from '../flow/components/copy-button.tsx';
import styles from './code-block.module.css';

/** Text for a terminal or a program, with a button that copies it. `label` says what it is. */
export const CodeBlock = ({ label, text }: { label: string; text: string }) => {
  const { t } = useTranslation('developers');
  return (
    <div className={styles.block}>
      <pre className={styles.text} lang="en" translate="no">
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={t('client.copyOf', { what: label })} />
    </div>
  );
};
