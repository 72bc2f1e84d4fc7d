import type { RefObject } from 'react';

/** Focuses a field and selects its text, so that typing replaces the text. */
export const retype = ({ current }: RefObject<HTMLInputElement | null>): void => {
  current?.focus();
  current?.select();
};
