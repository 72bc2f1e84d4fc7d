import type { ReactNode } from 'react';
import styles from './record-row.module.css';

interface RecordRowProps {
  id: string;
  icon: ReactNode;
  title: ReactNode;
  subtitle?: ReactNode;
  facts: ReactNode;
  action: ReactNode;
}

/** A row of a list: the name of the record, its facts, and the button that ends it. */
export const RecordRow = ({ id, icon, title, subtitle, facts, action }: RecordRowProps) => (
  <li className={styles.record} data-record={id}>
    <div className={styles.icon}>{icon}</div>
    <div className={styles.head}>
      {title}
      {subtitle}
    </div>
    <div className={styles.facts}>{facts}</div>
    <div className={styles.action}>{action}</div>
  </li>
);
