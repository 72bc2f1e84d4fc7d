import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { SectionName } from './page-of.ts';
import styles from './section.module.css';

/** The heading of a section, within the page that is on screen: other clients’ pages may be kept beside it. */
export const findSection = (page: ParentNode, name: string): HTMLElement | null =>
  page.querySelector<HTMLElement>(`[data-section="${CSS.escape(name)}"] > div > h2`);

interface SectionProps {
  name: SectionName;
  text?: string;
  children: ReactNode;
}

/** A section of a client’s page under its heading. `#secrets` in the address of the page leads to one. */
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
