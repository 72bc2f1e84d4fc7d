/** A `ref` of what appears in the place of a pressed button: without it the focus would be lost with the button. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();
