import type { Locale } from '@candela/contract';
import { useAppState } from '../app-state.ts';
import { boot } from '../boot.ts';
import { Link } from '../navigation/link.tsx';
import { AccountMenu } from './account-menu.tsx';
import brand from './brand.module.css';
import { Mark } from './lamp.tsx';
import { LanguagePicker } from './language-switch.tsx';
import styles from './page-bar.module.css';
import { SkipLink } from './skip-link.tsx';

export interface PageBarProps {
  /** Called with a picked language, which the page shows already. */
  onLocale: (locale: Locale) => void;
}

/** The bar of the pages outside the sign-in: the mark, the languages and the account. */
export const PageBar = ({ onLocale }: PageBarProps) => {
  const account = useAppState(({ userInfo }) => userInfo);
  return (
    <header className={styles.bar}>
      <SkipLink />
      <Link className={brand.brand} to="/index">
        <Mark />
        {boot.brand.name}
      </Link>
      <div className={styles.tools}>
        <LanguagePicker onChoose={onLocale} />
        {account && <AccountMenu account={account} />}
      </div>
    </header>
  );
};
