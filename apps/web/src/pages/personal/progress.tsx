import styles from './progress.module.css';

/** Work whose end is not known: what it is, and that it goes on. */
export const Progress = ({ shown, label }: { shown: boolean; label: string }) => (
  <div role="status" className={shown ? styles.progress : styles.idle}>
    {shown && (
      <>
        <span>{label}</span>
        <span className={styles.track} aria-hidden="true" />
      </>
    )}
  </div>
);
