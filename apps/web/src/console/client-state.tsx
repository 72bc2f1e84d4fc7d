import type { ClientListItem } from '@candela/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../flow/components/moment.tsx';
import { Phrase } from '../flow/components/phrase.tsx';
import { serverNow } from '../shell/api/client.ts';
import styles from './client-state.module.css';

const DAY_MS = 86_400_000;
const SOON_DAYS = 30;

/** A sentence around the distance of a time from now. */
const When = ({ text, at }: { text: (when: string) => string; at: string }) => (
  <Phrase text={text}>
    <Moment at={at} show="distance" />
  </Phrase>
);

/** The state of a client in words, what is wrong first. */
export const ClientState = ({ client }: { client: ClientListItem }) => {
  const { t } = useTranslation('developers');
  const { lastTokenAt, errorsToday, secretEndsAt } = client.alert;
  const endsSoon = secretEndsAt && Date.parse(secretEndsAt) - serverNow() < SOON_DAYS * DAY_MS;
  const worries: ReactNode[] = [
    client.disabled && t('developers.disabled'),
    errorsToday > 0 && t('developers.errorsToday', { count: errorsToday }),
    endsSoon && <When text={(when) => t('developers.secretEnds', { when })} at={secretEndsAt} />,
  ].filter(Boolean);
  const facts: ReactNode[] = [
    lastTokenAt ? (
      <When text={(when) => t('developers.lastToken', { when })} at={lastTokenAt} />
    ) : (
      t('developers.noToken')
    ),
    client.sharedAt && <When text={(when) => t('overview.team.sharedAt', { when })} at={client.sharedAt} />,
  ].filter(Boolean);
  return (
    <ul className={styles.states}>
      {worries.map((worry, index) => (
        <li key={`worry-${index}`}>
          <span className={styles.worry}>{worry}</span>
        </li>
      ))}
      {facts.map((fact, index) => (
        <li key={`fact-${index}`}>{fact}</li>
      ))}
    </ul>
  );
};
