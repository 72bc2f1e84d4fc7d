import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../components/copy-button.tsx';
import styles from './code-block.module.css';

/** A program or a command to copy. A long line scrolls within the block. */
export const CodeBlock = ({ label, text }: { label: string; text: string }) => {
  const { t } = useTranslation('developers');
  return (
    <div className={styles.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <pre className={styles.text} tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={t('client.copyOf', { what: label })} />
    </div>
  );
};
