import type { RefObject } from 'react';

/** Puts the focus into a field and selects what is there, so that typing replaces it. */
export const retype = ({ current }: RefObject<HTMLInputElement | null>): void => {
  current?.focus();
  current?.select();
};
