import type { ClientSummary } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Initial } from '../../shell/components/initial.tsx';
import { Phrase } from '../components/phrase.tsx';
import styles from './client-card.module.css';

/** The app that asks, by its name and the host that answers for it. With `signsIn`, also says that the screen signs in to it. */
export const ClientCard = ({ client, signsIn = false }: { client: ClientSummary; signsIn?: boolean }) => {
  const { t } = useTranslation();
  const host = client.documentHost ?? client.host;
  const name = <b className={styles.name}>{client.name}</b>;
  return (
    <div className={styles.card}>
      <Initial name={client.name} picture={client.logo} shape="square" />
      <div className={styles.words}>
        <p>{signsIn ? <Phrase text={(app) => t('flow.toContinue', { app })}>{name}</Phrase> : name}</p>
        <p className={styles.host}>
          <bdi>{host}</bdi>
          {!client.verified && (
            <span>
              {host && ' · '}
              {t('flow.unverified')}
            </span>
          )}
        </p>
      </div>
    </div>
  );
};
