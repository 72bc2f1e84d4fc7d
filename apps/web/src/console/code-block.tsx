import { useTranslation } from 'react-i18next';
import { CopyButton } from '../flow/components/copy-button.tsx';
import styles from './code-block.module.css';

interface CodeBlockProps {
  /** Says what it is. */
  label: string;
  /** The label stands above the text, such as the name of a file; otherwise its button alone has it. */
  named?: boolean;
  text: string;
}

/** Text for a terminal or a program, with a button that copies it. */
export const CodeBlock = ({ label, named = false, text }: CodeBlockProps) => {
  const { t } = useTranslation('developers');
  return (
    <div className={styles.block} data-named={named || undefined}>
      {named && <p className={styles.label}>{label}</p>}
      <pre className={styles.text} lang="en" translate="no">
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={t('client.copyOf', { what: label })} />
    </div>
  );
};
