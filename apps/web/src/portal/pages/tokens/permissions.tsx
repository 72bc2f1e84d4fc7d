import type { Authorization } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { PermissionIcon } from '../../../flow/scopes/permission-icon.tsx';
import { PermissionWords } from '../../../flow/scopes/permission-words.tsx';
import { permissionsOf } from '../../../flow/scopes/permissions.ts';
import styles from './permissions.module.css';

/** What an approval lets an app do. */
export const Permissions = ({ authorization }: { authorization: Authorization }) => {
  const { t } = useTranslation('account');
  return (
    <div className={styles.permissions}>
      <p>{t('tokens.can')}</p>
      <ul className={styles.list}>
        {permissionsOf(authorization).map((permission) => (
          <li key={`${permission.resource} ${permission.scopes.join(' ')}`} className={styles.permission}>
            <PermissionIcon kind={permission.kind} />
            <span>
              <PermissionWords permission={permission} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
};
