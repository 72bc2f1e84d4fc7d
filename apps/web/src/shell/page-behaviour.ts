import { appStore } from './app-state.ts';
import { leaveWhenReachable } from './connection/connection.ts';
import { watchMobile } from './mobile.ts';

declare global {
  interface Window {
    /** Called by an app before it closes the web view that shows this page. */
    onCandelaWebViewClose?: () => void;
  }
}

/** A press outside the focused field blurs the field, which hides the keyboard of a phone. */
const blurOnPressOutside = (): void => {
  let pressedAt: EventTarget | null = null;
  let focusedThen: Element | null = null;
  const notePress = ({ target }: PointerEvent): void => {
    pressedAt = target;
    focusedThen = document.activeElement;
  };
  document.addEventListener('pointerdown', notePress, true);
  const leaveField = ({ detail }: MouseEvent): void => {
    // Enter in a field fires a click on the button of its form. That click is no press.
    if (detail === 0) return;
    const active = document.activeElement;
    // A dialog that lost the focus to the body restores it to its field a moment later.
    const field = active === document.body ? focusedThen : active;
    // A dialog may have opened between the press and its click, with the focus in its field.
    if (field !== focusedThen || !field?.matches('input, textarea, select')) return;
    // A press on the field, its label or its buttons keeps the focus, as does a selection that begins there.
    const keeps =
      pressedAt instanceof Element && pressedAt.closest('input, textarea, select, label, [data-field]');
    if (keeps) return;
    const dialog = field.closest<HTMLElement>('[role=dialog], [role=alertdialog]');
    if (dialog) dialog.focus();
    else (field as HTMLElement).blur();
  };
  // In the capture phase: the pressed element may put the focus into a field.
  document.addEventListener('click', leaveField, true);
};

/**
 * Reloads a page that comes from the back-forward cache, because its session may have ended. The page is invisible
 * until the reload.
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

/** Logs that the surrounding app is about to close this page. Nothing depends on the log. */
const noteWebViewClose = (): void => {
  window.onCandelaWebViewClose = () => {
    const { indexRouteName } = appStore.getState();
    // biome-ignore lint/suspicious/noConsole: the hook only logs
    console.info('The web view is closing', { from: indexRouteName, at: location.pathname });
  };
};

/** Shows the brand’s lamp as the icon of the tab, and the brand’s page colour in the browser around the page. */
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

/** Installs the behaviour of every page outside React. */
export const installPageBehaviour = (): void => {
  blurOnPressOutside();
  recheckOnReturn();
  noteWebViewClose();
  watchMobile();
  showBrandColours();
};
