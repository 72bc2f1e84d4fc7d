import { createStore, useStore } from '../../shell/store.ts';
import styles from './toast.module.css';

interface NoticeAction {
  label: string;
  /** Runs on the press. It must move the focus, because the button disappears. */
  run: () => void;
}

interface Notice {
  text: string;
  action: NoticeAction | undefined;
}

const shownMs = 6_000;
/** Long enough to find and press a button with any means of input. */
const shownWithActionMs = 20_000;
const notice = createStore<Notice | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;

const show = (next: Notice | undefined): void => {
  clearTimeout(timer);
  notice.set(next);
};

const hideLater = (): void => {
  clearTimeout(timer);
  timer = setTimeout(() => show(undefined), notice.get()?.action ? shownWithActionMs : shownMs);
};

/** Shows a notice of success at the edge of the window. A failure is shown where it happened instead. */
export const notify = (text: string, action?: NoticeAction): void => {
  show({ text, action });
  hideLater();
};

/** Shows the notices of `notify`. */
export const Toast = () => {
  const shown = useStore(notice);
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
              // The notice stays while its button has the focus.
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
