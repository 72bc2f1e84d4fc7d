/** A dialog that is not gone after this long stays for a reason of its own. In milliseconds. */
const PATIENCE = 10_000;

/** Moves the focus; where a closing dialog still covers the element, which takes no focus until then, once it does not. */
export const focusFree = (
  find: () => HTMLElement | null | undefined,
  end = performance.now() + PATIENCE,
): void => {
  const element = find();
  if (element?.closest('[inert]') && performance.now() < end) focusSoon(find, end);
  else element?.focus();
};

/**
 * Moves the focus after a closing dialog has restored it, which takes the dialog a frame. A busy browser closes the
 * dialog some frames later.
 */
export const focusSoon = (find: () => HTMLElement | null | undefined, end?: number): void =>
  void requestAnimationFrame(() => setTimeout(focusFree, 0, find, end));
