import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../shell/components/announcer.tsx';
import { FieldAction } from './field.tsx';

interface CopyButtonProps {
  text: string;
  /** The accessible name where several buttons are on the page. */
  label?: string;
  onCopied?: () => void;
}

/** Copies a text. A page without a secure context cannot copy, so it shows no button. */
export const CopyButton = ({ text, label, onCopied }: CopyButtonProps) => {
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
      {copied === text ? t('error.copied') : t('error.copy')}
    </FieldAction>
  );
};
