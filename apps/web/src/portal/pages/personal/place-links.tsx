import type { Account } from '@candela/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from '../../../shell/navigation/link.tsx';
import { authorizationsQuery, clientsQuery, sessionsQuery } from '../../account/queries.ts';
import { usePainted } from '../../account/use-painted.ts';
import type { PagedQuery } from '../../account/use-rest.ts';
import card from '../../components/card.module.css';
import styles from './place-links.module.css';

interface PlaceLinkProps {
  to: string;
  title: string;
  text: string;
  /** What a press does, or how much there is. */
  state: string | undefined;
}

/** What is read between two texts that stand apart on screen. */
const Pause = () => <span className="visually-hidden">, </span>;

/** A link to a list of the account. */
const PlaceLink = ({ to, title, text, state }: PlaceLinkProps) => (
  <Link to={to} className={`${card.row} ${styles.place}`}>
    <span>
      {title}
      <Pause />
    </span>
    <span className={styles.text}>
      {text}
      {state && <Pause />}
    </span>
    <span className={styles.state}>
      {state}
      <svg width="8" height="12" viewBox="0 0 8 12" aria-hidden="true">
        <path d="m1.5 1 5 5-5 5" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
      </svg>
    </span>
  </Link>
);

/** The link to what happened to the account. */
export const ActivityLink = () => {
  const { t } = useTranslation('account');
  return (
    <nav className={`${card.card} ${styles.places}`} aria-label={t('personal.activity')}>
      <PlaceLink
        to="/activity"
        title={t('personal.activity')}
        text={t('personal.activityText')}
        state={t('personal.view')}
      />
    </nav>
  );
};

/** Says how many there are: the first page of a list is enough to count what most accounts have. */
const useCounts = (account: Account) => {
  const { t } = useTranslation('account');
  // The page itself goes first.
  const enabled = usePainted();
  const sessions = useInfiniteQuery({ ...sessionsQuery, enabled });
  const links = useInfiniteQuery({ ...authorizationsQuery, enabled });
  const clients = useInfiniteQuery({ ...clientsQuery, enabled: enabled && account.developer === true });
  const count = <Item,>(
    { data, isError, hasNextPage }: PagedQuery<Item>,
    what: 'devices' | 'apps',
    idOf: (item: Item) => string,
  ): string | undefined => {
    if (isError) return t('personal.manage');
    if (!data) return undefined;
    const number = new Set(data.pages.flatMap(({ items }) => items.map(idOf))).size;
    return hasNextPage ? t(`personal.${what}More`, { number }) : t(`personal.${what}`, { count: number });
  };
  return {
    sessions: count(sessions, 'devices', ({ id }) => id),
    links: count(links, 'apps', ({ client }) => client.id),
    clients: count(clients, 'apps', ({ client_id }) => client_id),
  };
};

/** Links to the lists of the devices and the apps of the account; for a developer, to their own apps too. */
export const PlaceLinks = ({ account }: { account: Account }) => {
  const { t } = useTranslation('account');
  const counts = useCounts(account);
  return (
    <nav className={`${card.card} ${styles.places}`} aria-label={t('personal.parts.places')}>
      <PlaceLink
        to="/sessions"
        title={t('personal.sessions')}
        text={t('personal.sessionsText')}
        state={counts.sessions}
      />
      <PlaceLink
        to="/tokens"
        title={t('personal.tokens')}
        text={t('personal.tokensText')}
        state={counts.links}
      />
      {account.developer && (
        <PlaceLink
          to="/developers"
          title={t('personal.developers')}
          text={t('personal.developersText')}
          state={counts.clients}
        />
      )}
    </nav>
  );
};
