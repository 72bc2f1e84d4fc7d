import { useSyncExternalStore } from 'react';

let message = '';
const listeners = new Set<() => void>();

/** Says something to screen readers, politely, whatever is on screen. */
export const announce = (text: string): void => {
  // A no-break space makes the same words a change, so that they are read again.
  message = text === message ? `${text}\u00A0` : text;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** The one live region of the application; an open dialog leaves it in reach, as all that are marked like it. */
export const Announcer = () => (
  <p className="visually-hidden" aria-live="polite" aria-atomic="true" data-live-announcer="true">
    {useSyncExternalStore(subscribe, () => message)}
  </p>
);
