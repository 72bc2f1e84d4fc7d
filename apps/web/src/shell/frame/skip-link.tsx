import { useTranslation } from 'react-i18next';
import styles from './skip-link.module.css';

/** The first link of a page, which passes over what stands above its content. */
export const SkipLink = () => {
  const { t } = useTranslation();
  return (
    <a className={styles.skip} href="#main">
      {t('app.skip')}
    </a>
  );
};
