/** Moves the focus after a closing dialog has restored it, which takes the dialog a frame. */
export const focusSoon = (find: () => HTMLElement | null | undefined): void => {
  requestAnimationFrame(() => setTimeout(() => find()?.focus(), 0));
};
