import styles from './progress.module.css';

/** An indeterminate progress bar with a label. */
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
