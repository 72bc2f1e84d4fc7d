import { useTranslation } from 'react-i18next';
import { gap } from '../../shell/language/format.ts';
import { useLocale } from '../../shell/language/use-locale.ts';
import { Checkbox } from '../components/checkbox.tsx';
import type { Permission } from '../scopes/permissions.ts';
import { usePermissionText } from '../scopes/use-permission-text.ts';
import styles from './permission-list.module.css';

interface PermissionListProps {
  label: string;
  /** The name of the app, whose own words the reasons are. */
  app: string;
  permissions: readonly Permission[];
  /** Keys of the scopes that the person leaves out. */
  declined: readonly string[];
  onToggle: (keys: readonly string[]) => void;
}

/** A list of permissions. A required permission has a dot, an optional permission a checkbox. */
export const PermissionList = ({ label, app, permissions, declined, onToggle }: PermissionListProps) => {
  const { t } = useTranslation();
  const locale = useLocale();
  const text = usePermissionText();
  return (
    <ul className={styles.list} aria-label={label}>
      {permissions.map((permission) => {
        const { keys, optional, granted, reasons = [] } = permission;
        const isChoice = optional && !granted;
        const words = (
          <>
            {text.title(permission)}
            {isChoice && (
              <span className={styles.optional}>
                {gap(locale)}
                {t('consent.optional')}
              </span>
            )}
            {text.detail(permission) && <span className={styles.detail}>{text.detail(permission)}</span>}
            {reasons.map((reason) => (
              <bdi key={reason} className={styles.detail}>
                {t('consent.reason', { app, reason })}
              </bdi>
            ))}
          </>
        );
        return (
          <li key={keys.join(' ')} className={styles.item}>
            {isChoice ? (
              <Checkbox checked={!keys.some((key) => declined.includes(key))} onChange={() => onToggle(keys)}>
                {words}
              </Checkbox>
            ) : (
              <p className={styles.line}>{words}</p>
            )}
          </li>
        );
      })}
    </ul>
  );
};
