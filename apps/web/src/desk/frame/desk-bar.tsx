import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { saveLocale } from '../../portal/account/save-locale.ts';
import { AccountMenu } from '../../portal/frame/account-menu.tsx';
import { LanguagePicker } from '../../portal/frame/language-picker.tsx';
import { useAppState } from '../../shell/app-state.ts';
import { boot } from '../../shell/boot.ts';
import brand from '../../shell/frame/brand.module.css';
import { Mark } from '../../shell/frame/lamp.tsx';
import { SkipLink } from '../../shell/frame/skip-link.tsx';
import { Link } from '../../shell/navigation/link.tsx';
import { StaffContext } from '../staff.ts';
import styles from './desk-bar.module.css';
import { DeskNavigation } from './desk-navigation.tsx';
import { SearchField } from './search-field.tsx';

/** The bar of the desk: whose it is, the search, the pages, and who works here. */
export const DeskBar = () => {
  const { t } = useTranslation('desk');
  const account = useAppState(({ userInfo }) => userInfo);
  return (
    <header className={styles.bar}>
      <SkipLink />
      <Link className={`${brand.brand} ${styles.brand}`} to="/desk">
        <Mark />
        {t('desk.of', { brand: boot.brand.name })}
      </Link>
      {useContext(StaffContext) && <SearchField />}
      <DeskNavigation />
      <div className={styles.tools}>
        <LanguagePicker onChoose={(locale) => account && void saveLocale(locale)} />
        {account && <AccountMenu account={account} />}
      </div>
    </header>
  );
};
