import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../components/checkbox.tsx';
import type { Permission } from '../../scopes/permissions.ts';
import { usePermissionText } from '../../scopes/use-permission-text.ts';
import styles from './permission-list.module.css';

interface PermissionListProps {
  label: string;
  permissions: readonly Permission[];
  /** Scopes that the person leaves out. */
  declined: readonly string[];
  onToggle: (scopes: readonly string[]) => void;
}

/** What the app may do, each with a dot of the lamp; what may be left out has a box instead. */
export const PermissionList = ({ label, permissions, declined, onToggle }: PermissionListProps) => {
  const { t } = useTranslation();
  const text = usePermissionText();
  return (
    <ul className={styles.list} aria-label={label}>
      {permissions.map((permission) => {
        const { scopes, optional, granted } = permission;
        const isChoice = optional && !granted;
        const words = (
          <>
            {text.title(permission)}
            {isChoice && <span className={styles.optional}> ({t('consent.optional')})</span>}
            {text.detail(permission) && <span className={styles.detail}>{text.detail(permission)}</span>}
          </>
        );
        return (
          <li key={`${permission.resource} ${scopes.join(' ')}`} className={styles.item}>
            {isChoice ? (
              <Checkbox
                checked={!scopes.some((scope) => declined.includes(scope))}
                onChange={() => onToggle(scopes)}
              >
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
