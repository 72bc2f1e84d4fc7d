import type { ReactNode } from 'react';
import { gap } from '../../shell/language/format.ts';
import { useLocale } from '../../shell/language/use-locale.ts';
import styles from './permission-words.module.css';
import type { Permission } from './permissions.ts';
import { usePermissionText } from './use-permission-text.ts';

interface PermissionWordsProps {
  permission: Permission;
  /** Stands behind the title. */
  note?: ReactNode;
  /** The app’s own words, one below the other. */
  reasons?: readonly string[];
}

/** What a permission allows, and below it which data that is, where the title does not say so. */
export const PermissionWords = ({ permission, note, reasons = [] }: PermissionWordsProps) => {
  const locale = useLocale();
  const text = usePermissionText();
  const detail = text.detail(permission);
  return (
    <>
      {text.title(permission)}
      {note && (
        <span className={styles.note}>
          {gap(locale)}
          {note}
        </span>
      )}
      {detail && <span className={styles.detail}>{detail}</span>}
      {reasons.map((reason) => (
        <bdi key={reason} className={styles.detail}>
          {reason}
        </bdi>
      ))}
    </>
  );
};
