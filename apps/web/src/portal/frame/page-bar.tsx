import type { Locale } from '@candela/contract';
import { useAppState } from '../../shell/app-state.ts';
import { boot } from '../../shell/boot.ts';
import { bring } from '../../shell/bring.ts';
import brand from '../../shell/frame/brand.module.css';
import { Mark } from '../../shell/frame/lamp.tsx';
import { SkipLink } from '../../shell/frame/skip-link.tsx';
import { Link } from '../../shell/navigation/link.tsx';
import { AccountMenu } from './account-menu.tsx';
import { LanguagePicker } from './language-picker.tsx';
import styles from './page-bar.module.css';

/** Saves a picked language, which the page shows already, with the signed-in account. */
const keep = async (locale: Locale): Promise<void> => {
  const { saveLocale } = await bring(() => import('../account/save-locale.ts'));
  await saveLocale(locale);
};

/** The bar of the pages outside the sign-in: the mark, the languages and the account. */
export const PageBar = () => {
  const account = useAppState(({ userInfo }) => userInfo);
  return (
    <header className={styles.bar}>
      <SkipLink />
      <Link className={brand.brand} to="/index">
        <Mark />
        {boot.brand.name}
      </Link>
      <div className={styles.tools}>
        <LanguagePicker onChoose={(locale) => account && void keep(locale).catch(() => undefined)} />
        {account && <AccountMenu account={account} />}
      </div>
    </header>
  );
};
