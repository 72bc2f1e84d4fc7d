import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../shell/components/announcer.tsx';
import styles from './copy-button.module.css';
import { FieldAction } from './field.tsx';

interface CopyButtonProps {
  text: string;
  /** The accessible name where several buttons are on the page. */
  label?: string;
  /** Where the window is narrow an icon takes the place of the word. */
  small?: boolean;
  onCopied?: () => void;
}

/** Copies a text. A page without a secure context cannot copy, so it shows no button. */
export const CopyButton = ({ text, label, small = false, onCopied }: CopyButtonProps) => {
  const { t } = useTranslation('account');
  const [copied, setCopied] = useState<string>();
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
    announce(t('error.copied'));
    onCopied?.();
  };
  if (!navigator.clipboard) return null;
  return (
    <FieldAction
      {...(label && copied !== text && { 'aria-label': label })}
      onClick={() => void copy().catch(() => undefined)}
    >
      <span className={small ? styles.word : undefined}>
        {copied === text ? t('error.copied') : t('error.copy')}
      </span>
      {small && (
        <svg className={styles.icon} width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
          <path d={copied === text ? 'm4 10.5 4 4 8-9' : 'M7 7h9v9H7zM13 7V4H4v9h3'} />
        </svg>
      )}
    </FieldAction>
  );
};
