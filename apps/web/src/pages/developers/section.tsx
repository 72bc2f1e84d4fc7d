import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './section.module.css';

/** The sections of a client’s page, in their order. Each is also the fragment of the page’s address. */
export const sectionNames = [
  'facts',
  'secrets',
  'addresses',
  'permissions',
  'links',
  'tryIt',
  'snippets',
  'errors',
  'usage',
  'members',
  'history',
  'ending',
] as const;
export type SectionName = (typeof sectionNames)[number];

/** A part of a client’s page under its heading. */
export const Section = ({
  name,
  text,
  children,
}: {
  name: SectionName;
  text?: string;
  children: ReactNode;
}) => {
  const { t } = useTranslation('developers');
  return (
    <section className={styles.section} id={name} aria-labelledby={`${name}-heading`}>
      <div className={styles.head}>
        <h2 className={styles.heading} id={`${name}-heading`} tabIndex={-1}>
          {t(`client.sections.${name}`)}
        </h2>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      {children}
    </section>
  );
};
