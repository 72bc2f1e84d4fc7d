import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './section.module.css';

/**
 * The sections of a client’s page, in their order. `#secrets` in the address of the page leads to one; so does a
 * `Link` to it.
 */
export const sectionNames = [
  'facts',
  'secrets',
  'addresses',
  'tryIt',
  'snippets',
  'permissions',
  'links',
  'preview',
  'errors',
  'usage',
  'members',
  'history',
  'ending',
] as const;
export type SectionName = (typeof sectionNames)[number];

/** The heading of a section, within the page that is on screen: other clients’ pages may be kept beside it. */
export const findSection = (page: ParentNode, name: string): HTMLElement | null =>
  page.querySelector<HTMLElement>(`[data-section="${CSS.escape(name)}"] > div > h2`);

interface SectionProps {
  name: SectionName;
  text?: string;
  children: ReactNode;
}

/** A part of a client’s page under its heading. */
export const Section = ({ name, text, children }: SectionProps) => {
  const { t } = useTranslation('developers');
  const id = useId();
  return (
    <section className={styles.section} data-section={name} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 className={styles.heading} id={id} tabIndex={-1}>
          {t(`client.sections.${name}`)}
        </h2>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      {children}
    </section>
  );
};
