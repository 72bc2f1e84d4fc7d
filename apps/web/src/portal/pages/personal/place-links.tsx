import type { Account } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Link } from '../../../shell/navigation/link.tsx';
import card from '../../components/card.module.css';
import styles from './place-links.module.css';

/** Links to the lists of the account; for a developer, to the apps too. */
export const PlaceLinks = ({ account }: { account: Account }) => {
  const { t } = useTranslation('account');
  const places = [
    { to: '/sessions', title: t('personal.sessions'), text: t('personal.sessionsText') },
    { to: '/tokens', title: t('personal.tokens'), text: t('personal.tokensText') },
    { to: '/activity', title: t('personal.activity'), text: t('personal.activityText') },
    ...(account.developer
      ? [{ to: '/developers', title: t('personal.developers'), text: t('personal.developersText') }]
      : []),
  ];
  return (
    <nav className={`${card.card} ${styles.places}`} aria-label={t('personal.title')}>
      {places.map(({ to, title, text }) => (
        <Link key={to} to={to} className={`${card.row} ${styles.place}`}>
          <span>{title}</span>
          <span className={styles.text}>{text}</span>
          <span className={styles.manage} aria-hidden="true">
            {t('personal.manage')}
            <svg width="8" height="12" viewBox="0 0 8 12" aria-hidden="true">
              <path
                d="m1.5 1 5 5-5 5"
                fill="none"
                stroke="currentColor"
                strokeWidth="1.6"
                strokeLinecap="round"
              />
            </svg>
          </span>
        </Link>
      ))}
    </nav>
  );
};
