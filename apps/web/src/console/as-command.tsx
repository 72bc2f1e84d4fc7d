import { useTranslation } from 'react-i18next';
import { useStore } from '../shell/store.ts';
import styles from './as-command.module.css';
import { CodeBlock } from './code-block.tsx';
import { commandLine, curlOf, runsHere } from './commands.ts';
import { shownCommands } from './shown-commands.ts';

interface AsCommandProps {
  /** What the command does. */
  what: string;
  /** The words after `candela client`; absent: the command line does not have it. */
  words?: readonly string[];
  request: { method: string; path: string; body?: unknown };
}

/** An action of the page as a request, and as a command where the reader runs the server; only where asked for. */
export const AsCommand = ({ what, words, request: { path, ...request } }: AsCommandProps) => {
  const { t } = useTranslation('developers');
  if (!useStore(shownCommands)) return null;
  const line = runsHere(location.hostname) ? words : undefined;
  return (
    <div className={styles.command}>
      <p className={styles.title}>{t('client.command.titleOf', { what })}</p>
      {line && <CodeBlock label={t('client.command.line')} text={commandLine('client', ...line)} />}
      <CodeBlock
        label={t('client.command.request')}
        text={curlOf({ ...request, url: `${location.origin}${path}` })}
      />
      <p className={styles.note}>{t(line ? 'client.command.note' : 'overview.commands.note')}</p>
    </div>
  );
};
