import { appStore } from './app-state.ts';
import { leaveWhenReachable } from './connection/connection.ts';
import { watchMobile } from './mobile.ts';

declare global {
  interface Window {
    /** Called by an app that is about to close the web view this page is in. */
    onCandelaWebViewClose?: () => void;
  }
}

/** A press outside a field takes the focus from it, and so hides the keyboard of a phone. */
const blurOnPressOutside = (): void => {
  let pressedAt: EventTarget | null = null;
  let focusedThen: Element | null = null;
  const notePress = ({ target }: PointerEvent): void => {
    pressedAt = target;
    focusedThen = document.activeElement;
  };
  document.addEventListener('pointerdown', notePress, true);
  const leaveField = ({ detail }: MouseEvent): void => {
    // No press at all: Enter in a field is a click on its form’s button.
    if (detail === 0) return;
    const active = document.activeElement;
    // A dialog gives a focus that has gone nowhere back to its field, a moment later.
    const field = active === document.body ? focusedThen : active;
    if (!field?.matches('input, textarea, select')) return;
    // The field itself, its label and its buttons belong to it, and a selection may end outside.
    const keeps =
      pressedAt instanceof Element && pressedAt.closest('input, textarea, select, label, [data-field]');
    if (keeps) return;
    const dialog = field.closest<HTMLElement>('[role=dialog], [role=alertdialog]');
    if (dialog) dialog.focus();
    else (field as HTMLElement).blur();
  };
  // Before what is pressed acts: that may put the focus into a field.
  document.addEventListener('click', leaveField, true);
};

/**
 * A page that comes back from the back-forward cache may be of a session that has ended: the server is asked
 * again, and until it has answered nothing is shown.
 */
const recheckOnReturn = (): void => {
  const { style } = document.documentElement;
  addEventListener('pagehide', ({ persisted }) => {
    if (persisted) style.visibility = 'hidden';
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void leaveWhenReachable(() => location.reload());
  });
};

/** An app around this page may tell that it closes; nothing depends on it. */
const noteWebViewClose = (): void => {
  window.onCandelaWebViewClose = () => {
    const { indexRouteName } = appStore.getState();
    // biome-ignore lint/suspicious/noConsole: the log is all that this hook is for
    console.info('The web view is closing', { from: indexRouteName, at: location.pathname });
  };
};

/** The brand’s lamp as the icon of the tab, and its page colour around the page. */
const showBrandColours = (): void => {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  const theme = document.createElement('meta');
  theme.name = 'theme-color';
  document.head.append(theme);
  const show = () => {
    const style = getComputedStyle(document.documentElement);
    const glow = `rgb(${style.getPropertyValue('--glow').trim().split(/\s+/).join(',')})`;
    theme.content = style.getPropertyValue('--page').trim();
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="${glow}" fill-opacity=".35"/><circle cx="16" cy="16" r="11" fill="${glow}"/><circle cx="16" cy="16" r="5.5" fill="#fff"/></svg>`;
    if (icon) icon.href = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  };
  show();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
};

/** What holds for every page, beside what React draws. */
export const installPageBehaviour = (): void => {
  blurOnPressOutside();
  recheckOnReturn();
  noteWebViewClose();
  watchMobile();
  showBrandColours();
};
