import { Children, type ReactNode } from 'react';
import styles from './summary.module.css';

/** The facts that answer the question of a list, in a line that breaks between them. */
export const Summary = ({ children }: { children: ReactNode }) => (
  <p className={styles.summary}>
    {Children.toArray(children).map((fact, index) => (
      <span key={index} className={styles.fact}>
        {index > 0 && ' · '}
        {fact}
      </span>
    ))}
  </p>
);
