import type { ClientListItem } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import card from '../portal/components/card.module.css';
import { Initial } from '../shell/components/initial.tsx';
import { Link } from '../shell/navigation/link.tsx';
import styles from './client-list.module.css';
import { ClientState } from './client-state.tsx';
import { pageOf } from './page-of.ts';

const Row = ({ client }: { client: ClientListItem }) => {
  const { t } = useTranslation('developers');
  return (
    <li className={styles.row} data-record={client.client_id}>
      <Initial name={client.client_name} picture={client.logo} shape="square" />
      <div className={styles.words}>
        <h2 className={styles.name}>
          <Link className={styles.link} to={pageOf(client.client_id)}>
            <bdi>{client.client_name}</bdi>
          </Link>
        </h2>
        <p className={styles.preset}>{t(`presets.${client.preset ?? 'other'}.name`)}</p>
        <ClientState client={client} />
      </div>
      <svg className={styles.arrow} width="8" height="12" viewBox="0 0 8 12" aria-hidden="true">
        <path d="m1.5 1 5 5-5 5" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
      </svg>
    </li>
  );
};

/** The clients of a developer, each with its state in words. */
export const ClientList = ({ clients }: { clients: readonly ClientListItem[] }) => (
  <ul className={card.card}>
    {clients.map((client) => (
      <Row key={client.client_id} client={client} />
    ))}
  </ul>
);
