import { mayAs } from '@candela/contract/rules/desk-acts';
import { useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { Link } from '../../shell/navigation/link.tsx';
import { approvalsQuery } from '../queries.ts';
import { StaffContext } from '../staff.ts';
import styles from './desk-navigation.module.css';

/** The pages beside the search, each with the least role that has it. */
const places = [
  { to: '/desk/service', title: 'desk.service.title', role: 'viewer' },
  { to: '/desk/apps', title: 'desk.apps.title', role: 'viewer' },
  { to: '/desk/developers', title: 'desk.developers.title', role: 'operator' },
  { to: '/desk/brand-words', title: 'desk.words.title', role: 'operator' },
  { to: '/desk/approvals', title: 'desk.approvals.title', role: 'operator' },
  { to: '/desk/record', title: 'desk.record.title', role: 'operator' },
] as const;

/** The links to the other pages of the desk that the role has, with the number of what waits. */
export const DeskNavigation = () => {
  const { t } = useTranslation('desk');
  const { pathname } = useLocation();
  const staff = useContext(StaffContext);
  const mine = places.filter(({ role }) => staff && mayAs(staff.role, role));
  const { data } = useQuery({
    ...approvalsQuery,
    enabled: mine.some(({ to }) => to === '/desk/approvals'),
  });
  const waiting = data?.items.filter(({ own }) => !own).length ?? 0;
  if (mine.length === 0) return null;
  return (
    <nav className={styles.pages} aria-label={t('desk.pages')}>
      {mine.map(({ to, title }) => (
        <Link key={to} className={styles.page} to={to} aria-current={pathname === to ? 'page' : undefined}>
          {t(title)}
          {to === '/desk/approvals' && waiting > 0 && <span className={styles.count}>{waiting}</span>}
        </Link>
      ))}
    </nav>
  );
};
