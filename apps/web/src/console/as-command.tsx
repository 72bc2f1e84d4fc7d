import { useTranslation } from 'react-i18next';
import styles from './as-command.module.css';
import { CodeBlock } from './code-block.tsx';
import { commandLine, curlOf } from './commands.ts';

interface AsCommandProps {
  /** What the command does. */
  what: string;
  /** Shows what it does, where one stands below another. */
  named?: boolean;
  /** The words after `candela client`; absent: the command line does not have it. */
  words?: readonly string[];
  request: { method: string; path: string; body?: unknown };
}

/** An action of the page as a command and as a request, folded. */
export const AsCommand = ({ what, named = false, words, request: { path, ...request } }: AsCommandProps) => {
  const { t } = useTranslation('developers');
  return (
    <details className={styles.command}>
      <summary aria-label={t('client.command.titleOf', { what })}>
        {named ? t('client.command.titleOf', { what }) : t('client.command.title')}
      </summary>
      <div className={styles.body}>
        {words && <CodeBlock label={t('client.command.line')} text={commandLine(...words)} />}
        <CodeBlock
          label={t('client.command.request')}
          text={curlOf({ ...request, url: `${location.origin}${path}` })}
        />
        <p className={styles.note}>{t('client.command.note')}</p>
      </div>
    </details>
  );
};
