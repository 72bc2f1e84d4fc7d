/** Moves the focus once a closing dialog has given it back, which it does in a frame of its own. */
export const focusSoon = (find: () => HTMLElement | null | undefined): void => {
  requestAnimationFrame(() => setTimeout(() => find()?.focus(), 0));
};
