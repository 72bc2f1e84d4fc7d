import { useEffect, useState, useSyncExternalStore } from 'react';
import styles from './toast.module.css';

interface Notice {
  text: string;
}

const shownMs = 6_000;
let notice: Notice | undefined;
const listeners = new Set<() => void>();

/** Tells of something done. Failures stand where they happened, never here. */
export const notify = (text: string): void => {
  notice = { text };
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** Where `notify` speaks. */
export const Toast = () => {
  const latest = useSyncExternalStore(subscribe, () => notice);
  const [shown, setShown] = useState<Notice>();
  useEffect(() => {
    if (!latest) return;
    setShown(latest);
    const timer = setTimeout(() => {
      setShown(undefined);
      notice = undefined;
    }, shownMs);
    return () => clearTimeout(timer);
  }, [latest]);
  return (
    <output className={styles.region}>
      {shown && (
        <span className={styles.toast}>
          <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
            <path
              d="m4 9.5 3.2 3.2L14 6"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.8"
              strokeLinecap="round"
            />
          </svg>
          {shown.text}
        </span>
      )}
    </output>
  );
};
