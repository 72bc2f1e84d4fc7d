import { useLayoutEffect } from 'react';
import { focusFree } from './focus-soon.ts';

/** Whether a field on screen has the focus. */
export const isFieldFocused = (): boolean => {
  const { activeElement } = document;
  return Boolean(activeElement?.matches('input, textarea') && activeElement.checkVisibility());
};

/** Whether the focus opens no keyboard over the page: then also a page that a person has just opened may take it. */
export const hasOwnKeyboard = (): boolean => matchMedia('(pointer: fine)').matches;

/**
 * Puts the focus into a field when its step appears, before the step is painted: no key that is pressed then is lost. A
 * dialog that led here may still cover the step.
 */
export const useFirstFocus = (field: () => HTMLElement | null): void => {
  useLayoutEffect(() => focusFree(field), []);
};
