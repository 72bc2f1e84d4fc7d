import { type ReactNode, useId } from 'react';
import styles from './section.module.css';

interface SectionProps {
  /** `data-section` of the element. */
  name: string;
  title: string;
  /** What stands at the end of the heading's line, such as a filter. */
  beside?: ReactNode;
  children: ReactNode;
}

/** A card of facts under its heading. */
export const Section = ({ name, title, beside, children }: SectionProps) => {
  const id = useId();
  return (
    <section className={styles.section} data-section={name} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 className={styles.heading} id={id} tabIndex={-1}>
          {title}
        </h2>
        {beside}
      </div>
      <div className={styles.card}>{children}</div>
    </section>
  );
};

/** What stands in the place of rows where there are none. */
export const Nothing = ({ children }: { children: ReactNode }) => (
  <p className={styles.nothing}>{children}</p>
);
