import type { ReactNode } from 'react';
import styles from './actions.module.css';

/** The buttons of a dialog or a screen, side by side and equal in size. */
export const Actions = ({ children }: { children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);
