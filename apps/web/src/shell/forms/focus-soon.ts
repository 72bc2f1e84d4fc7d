/** A dialog that is not gone after this long stays for a reason of its own. In milliseconds. */
const PATIENCE = 10_000;

/**
 * Moves the focus after a closing dialog has restored it, which takes the dialog a frame. A busy browser closes the
 * dialog some frames later: until then what the dialog covers is inert and takes no focus.
 */
export const focusSoon = (find: () => HTMLElement | null | undefined): void => {
  const end = performance.now() + PATIENCE;
  const tryFocus = (): void => {
    const element = find();
    if (element?.closest('[inert]') && performance.now() < end) focusLater();
    else element?.focus();
  };
  const focusLater = () => void requestAnimationFrame(() => setTimeout(tryFocus, 0));
  focusLater();
};
