import { useTranslation } from 'react-i18next';
import { boot } from '../../boot.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import styles from './legal-page.module.css';

/** A document for everybody: what it covers, section by section. */
const LegalPage = ({ document }: { document: 'terms' | 'privacy' }) => {
  const { t } = useTranslation();
  const sections = t(`legal.${document}.sections`, { returnObjects: true });
  return (
    <article className={styles.document}>
      <PageHeading title={t(`legal.${document}.title`)} />
      <p className={styles.lead}>{t(`legal.${document}.lead`, { brand: boot.brand.name })}</p>
      <p className={styles.pending}>{t('legal.pending')}</p>
      {Object.entries(sections).map(([id, { title, text }]) => (
        <section key={id} aria-labelledby={id}>
          <h2 id={id}>{title}</h2>
          <p>{text}</p>
        </section>
      ))}
    </article>
  );
};

export const LicensePage = () => <LegalPage document="terms" />;
export const PrivacyPage = () => <LegalPage document="privacy" />;
