import type { ReactNode } from 'react';
import styles from './note.module.css';

export type Tone = 'ok' | 'calm' | 'warns' | 'bad';

interface NoteProps {
  tone: Tone;
  title: ReactNode;
  /** The next step, or what to tell the caller. */
  children?: ReactNode;
  /** The button of the next step. */
  act?: ReactNode;
}

/** One finding: what is the case, and what follows from it. */
export const Note = ({ tone, title, children, act }: NoteProps) => (
  <div className={styles.note} data-tone={tone}>
    <div className={styles.words}>
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.text}>{children}</div>}
    </div>
    {act}
  </div>
);
