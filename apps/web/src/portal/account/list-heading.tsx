import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHeading } from '../../shell/components/page-heading.tsx';
import { Link } from '../../shell/navigation/link.tsx';
import styles from './list-heading.module.css';

interface ListHeadingProps {
  title: string;
  text: string;
  /** The actions on the whole list. */
  children?: ReactNode;
}

interface BackLinkProps {
  to: string;
  /** Loads the page from the server. */
  reloadDocument?: boolean;
  children: ReactNode;
}

/** The way back to the page above. */
export const BackLink = ({ children, ...link }: BackLinkProps) => (
  <Link className={styles.back} {...link}>
    <svg width="7" height="12" viewBox="0 0 7 12" aria-hidden="true">
      <path d="m6 1-5 5 5 5" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
    </svg>
    {children}
  </Link>
);

/** The top of a list page: the way back, the title, an action. */
export const ListHeading = ({ title, text, children }: ListHeadingProps) => {
  const { t } = useTranslation();
  return (
    <div className={styles.top}>
      <BackLink to="/index">{t('app.account')}</BackLink>
      <div className={styles.row}>
        <div>
          <PageHeading title={title} />
          <p className={styles.text}>{text}</p>
        </div>
        {children}
      </div>
    </div>
  );
};
