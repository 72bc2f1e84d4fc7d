import type { ClientSummary } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { AppLine } from '../components/app-line.tsx';
import panel from '../components/panel.module.css';
import { Phrase } from '../components/phrase.tsx';

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
        {!client.verified && (
          <span>
            {host && ' · '}
            {t('flow.unverified')}
          </span>
        )}
      </AppLine>
    </div>
  );
};
