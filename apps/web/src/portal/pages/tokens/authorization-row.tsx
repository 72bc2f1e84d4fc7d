import type { Authorization } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { DeviceFacts } from '../../../flow/components/device-facts.tsx';
import lit from '../../../flow/components/lit-dot.module.css';
import { PermissionWords } from '../../../flow/scopes/permission-words.tsx';
import { permissionsOf } from '../../../flow/scopes/permissions.ts';
import { Button } from '../../../shell/components/button.tsx';
import { Initial } from '../../../shell/components/initial.tsx';
import { RecordRow } from '../../components/record-row.tsx';
import styles from './authorization-row.module.css';

interface AuthorizationRowProps {
  authorization: Authorization;
  onRemove: () => void;
}

export const AuthorizationRow = ({ authorization, onRemove }: AuthorizationRowProps) => {
  const { t } = useTranslation('account');
  const { client, grantMode } = authorization;
  const permissions = permissionsOf(authorization);
  const mode = grantMode === 'device_code' ? t('tokens.device') : t('tokens.code');
  return (
    <RecordRow
      id={authorization.id}
      icon={<Initial name={client.name} picture={client.logo} shape="square" />}
      title={
        <h2 className={styles.title}>
          {client.name} <bdi className={styles.host}>{client.host}</bdi>
        </h2>
      }
      subtitle={<p className={styles.mode}>{mode}</p>}
      facts={
        <>
          <ul className={styles.permissions}>
            {permissions.map((permission) => (
              <li key={`${permission.resource} ${permission.scopes.join(' ')}`} className={lit.dot}>
                <PermissionWords permission={permission} />
              </li>
            ))}
          </ul>
          <DeviceFacts device={authorization} />
        </>
      }
      action={
        <Button look="text" aria-label={t('tokens.removeOf', { app: client.name })} onClick={onRemove}>
          {t('tokens.remove')}
        </Button>
      }
    />
  );
};
