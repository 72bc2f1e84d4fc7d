import type { Authorization, EndedAuthorization } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { permissionsOf } from '../../../flow/scopes/permissions.ts';
import { Initial } from '../../../shell/components/initial.tsx';
import styles from './app-row.module.css';
import { EndedLinks } from './ended-links.tsx';
import { LinkRow } from './link-row.tsx';
import { Permissions } from './permissions.tsx';

const allowed = (authorization: Authorization): string =>
  permissionsOf(authorization)
    .flatMap(({ resource, scopes }) => scopes.map((scope) => `${resource} ${scope}`))
    .sort()
    .join(' ');

interface AppRowProps {
  /** The links of one app, those that live and those that ended: at least one. */
  links: readonly Authorization[];
  ended: readonly EndedAuthorization[];
  onRemove: (link: Authorization) => void;
}

/** An app with its links: somebody who has two homes links it twice. Those that ended stand below. */
export const AppRow = ({ links, ended, onRemove }: AppRowProps) => {
  const { t } = useTranslation('security');
  const [first] = links;
  const client = first?.client ?? ended[0]?.client;
  if (!client) return null;
  const isSame = first !== undefined && links.every((link) => allowed(link) === allowed(first));
  const isGone = ended.some(({ link }) => link.endedBecause === 'client_deleted');
  const name = isGone && client.name === client.id ? t('links.goneApp') : client.name;
  return (
    <li className={styles.app} data-app={client.id}>
      <Initial name={name} picture={client.logo} shape="square" />
      <h2 className={styles.title}>
        {name} <bdi className={styles.host}>{client.host}</bdi>
      </h2>
      <div className={styles.links}>
        {first && isSame && <Permissions authorization={first} />}
        {first && (
          <ul>
            {links.map((link) => (
              <LinkRow key={link.id} authorization={link} isSame={isSame} onRemove={() => onRemove(link)} />
            ))}
          </ul>
        )}
        <EndedLinks links={ended} />
      </div>
    </li>
  );
};
