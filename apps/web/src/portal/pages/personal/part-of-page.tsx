import { type ReactNode, useId } from 'react';
import styles from './part-of-page.module.css';

/** One of the parts of the page: its heading, and its cards. */
export const PartOfPage = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId();
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        {title}
      </h2>
      {children}
    </section>
  );
};
