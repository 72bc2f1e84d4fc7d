import { useTranslation } from 'react-i18next';
import { Checkbox } from '../components/checkbox.tsx';
import { PermissionIcon } from '../scopes/permission-icon.tsx';
import { PermissionWords } from '../scopes/permission-words.tsx';
import type { Permission } from '../scopes/permissions.ts';
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

/** A list of permissions. A required permission has an icon of what it is about, an optional permission a checkbox. */
export const PermissionList = ({ label, app, permissions, declined, onToggle }: PermissionListProps) => {
  const { t } = useTranslation();
  return (
    <ul className={styles.list} aria-label={label}>
      {permissions.map((permission) => {
        const { keys, optional, granted, reasons = [] } = permission;
        const isChoice = optional && !granted;
        const words = (
          <PermissionWords
            permission={permission}
            note={isChoice && t('consent.optional')}
            reasons={reasons.map((reason) => t('consent.reason', { app, reason }))}
          />
        );
        return (
          <li key={keys.join(' ')}>
            {isChoice ? (
              <Checkbox checked={!keys.some((key) => declined.includes(key))} onChange={() => onToggle(keys)}>
                {words}
              </Checkbox>
            ) : (
              <div className={styles.line}>
                <PermissionIcon kind={permission.kind} />
                <p>{words}</p>
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
};
