import { useState } from 'react';

/** In milliseconds. */
const LATE = 1_000;

/**
 * Tells an Enter that was meant for the step before, which the last digit of its code has ended: it comes to an empty
 * field, just after the step of that field has appeared.
 */
export const useLateEnter = (): ((field: HTMLInputElement | null) => boolean) => {
  const [since] = useState(() => performance.now());
  return (field) =>
    field?.value === '' && document.activeElement === field && performance.now() - since < LATE;
};
