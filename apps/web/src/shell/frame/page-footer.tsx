import { documentPages } from '@candela/contract/pages';
import { useTranslation } from 'react-i18next';
import { boot } from '../boot.ts';
import styles from './language-switch.module.css';

/** Links to the documents and to support, at the foot of every page. */
export const FootLinks = ({ newTab = false }: { newTab?: boolean }) => {
  const { t } = useTranslation();
  const { support } = boot.brand;
  const isPage = support?.startsWith('https:');
  const document = (href: string, name: string) => (
    <a className={styles.link} href={href} {...(newTab && { target: '_blank', rel: 'noopener' })}>
      {name}
      {newTab && <span className="visually-hidden"> {t('app.newTab')}</span>}
    </a>
  );
  return (
    <p className={styles.links}>
      {document(documentPages.terms, t('register.documents.terms'))}
      {document(documentPages.privacy, t('register.documents.privacy'))}
      {support && (
        <a className={styles.link} href={isPage ? support : `mailto:${support}`}>
          {t('app.support')} {!isPage && <bdi>{support}</bdi>}
        </a>
      )}
    </p>
  );
};
