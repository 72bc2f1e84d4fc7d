import type { Authorization } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { useDeviceName } from '../../../flow/components/use-device-name.ts';
import { PermissionIcon } from '../../../flow/scopes/permission-icon.tsx';
import { PermissionWords } from '../../../flow/scopes/permission-words.tsx';
import { permissionsOf } from '../../../flow/scopes/permissions.ts';
import { Button } from '../../../shell/components/button.tsx';
import { Initial } from '../../../shell/components/initial.tsx';
import { DeviceFacts } from '../../components/device-facts.tsx';
import { Summary } from '../../components/summary.tsx';
import styles from './app-row.module.css';

const Permissions = ({ authorization }: { authorization: Authorization }) => {
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

interface LinkProps {
  authorization: Authorization;
  /** The other links of the app may do the same, and the app has said it. */
  isSame: boolean;
  onRemove: () => void;
}

/** One link of an app: since when and from where, and when it was used last. */
const LinkRow = ({ authorization, isSame, onRemove }: LinkProps) => {
  const { t } = useTranslation('account');
  const deviceName = useDeviceName();
  const { client, grantMode, browser } = authorization;
  const mode = grantMode === 'device_code' ? t('tokens.device') : t('tokens.code');
  const linked = (when: string) =>
    browser.name
      ? t('tokens.linked', { when, device: deviceName(authorization) })
      : t('tokens.since', { when });
  return (
    <li className={styles.link} data-record={authorization.id}>
      <Summary>
        <Phrase text={(when) => t('tokens.used', { when })}>
          <Moment at={authorization.lastAccessedAt} show="distance" />
        </Phrase>
        <Phrase text={linked}>
          <Moment at={authorization.createdAt} show="date" />
        </Phrase>
      </Summary>
      <div className={styles.action}>
        <Button look="text" aria-label={t('tokens.removeOf', { app: client.name })} onClick={onRemove}>
          {t('tokens.remove')}
        </Button>
      </div>
      <div className={styles.facts}>
        {!isSame && <Permissions authorization={authorization} />}
        <DeviceFacts device={authorization} first={[[t('tokens.mode'), mode]]} />
      </div>
    </li>
  );
};

const allowed = (authorization: Authorization): string =>
  permissionsOf(authorization)
    .flatMap(({ resource, scopes }) => scopes.map((scope) => `${resource} ${scope}`))
    .sort()
    .join(' ');

interface AppRowProps {
  /** The links of one app, at least one. */
  links: readonly [Authorization, ...Authorization[]];
  onRemove: (link: Authorization) => void;
}

/** An app with its links: somebody who has two homes links it twice. */
export const AppRow = ({ links, onRemove }: AppRowProps) => {
  const [first] = links;
  const { client } = first;
  const isSame = links.every((link) => allowed(link) === allowed(first));
  return (
    <li className={styles.app} data-app={client.id}>
      <Initial name={client.name} picture={client.logo} shape="square" />
      <h2 className={styles.title}>
        {client.name} <bdi className={styles.host}>{client.host}</bdi>
      </h2>
      <div className={styles.links}>
        {isSame && <Permissions authorization={first} />}
        <ul>
          {links.map((link) => (
            <LinkRow key={link.id} authorization={link} isSame={isSame} onRemove={() => onRemove(link)} />
          ))}
        </ul>
      </div>
    </li>
  );
};
