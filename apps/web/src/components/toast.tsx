import { useSyncExternalStore } from 'react';
import styles from './toast.module.css';

interface NoticeAction {
  label: string;
  /** The button goes with the press: `run` says where the focus goes. */
  run: () => void;
}

interface Notice {
  text: string;
  action: NoticeAction | undefined;
}

const shownMs = 6_000;
/** Long enough to find and press a button with any means of input. */
const shownWithActionMs = 20_000;
let notice: Notice | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

const show = (next: Notice | undefined): void => {
  clearTimeout(timer);
  notice = next;
  for (const listener of listeners) listener();
};

const hideLater = (): void => {
  clearTimeout(timer);
  timer = setTimeout(() => show(undefined), notice?.action ? shownWithActionMs : shownMs);
};

/** Tells of something done. Failures stand where they happened, never here. */
export const notify = (text: string, action?: NoticeAction): void => {
  show({ text, action });
  hideLater();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** Where `notify` speaks. */
export const Toast = () => {
  const shown = useSyncExternalStore(subscribe, () => notice);
  return (
    <output className={styles.region} data-live-announcer="true">
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
          {shown.action && (
            <button
              type="button"
              className={styles.action}
              // It does not go while the focus is on it.
              onFocus={() => clearTimeout(timer)}
              onBlur={hideLater}
              onClick={() => {
                show(undefined);
                shown.action?.run();
              }}
            >
              {shown.action.label}
            </button>
          )}
        </span>
      )}
    </output>
  );
};
