import type { ClientSummary } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { boot } from '../../shell/boot.ts';
import { AppLine } from '../components/app-line.tsx';
import panel from '../components/panel.module.css';
import { Phrase } from '../components/phrase.tsx';
import styles from './client-card.module.css';

/** The app that asks, by its name and the host that answers for it. With `signsIn`, also says that the screen signs in to it. */
export const ClientCard = ({ client, signsIn = false }: { client: ClientSummary; signsIn?: boolean }) => {
  const { t } = useTranslation();
  const host = client.documentHost ?? client.host;
  return (
    <div className={panel.panel}>
      <AppLine
        app={client}
        sentence={
          signsIn
            ? (name) => <Phrase text={(app) => t('flow.toContinue', { app })}>{name}</Phrase>
            : undefined
        }
      >
        <bdi>{host}</bdi>
        {client.verified && host && ' · '}
        {client.verified && (
          <span className={styles.verified}>
            <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
              <path
                d="M7 1 9 2.4l2.4.1.3 2.4L13 7l-1.3 2.1-.3 2.4-2.4.1L7 13l-2-1.4-2.4-.1-.3-2.4L1 7l1.3-2.1.3-2.4L5 2.4zM4.6 7.1l1.7 1.7 3.1-3.3"
                fill="none"
                stroke="currentColor"
                strokeWidth="1.2"
                strokeLinecap="round"
                strokeLinejoin="round"
              />
            </svg>{' '}
            {t('flow.verified', { brand: boot.brand.name })}
          </span>
        )}
      </AppLine>
    </div>
  );
};
