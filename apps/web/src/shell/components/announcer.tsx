import { createStore, useStore } from '../store.ts';

const message = createStore('');

/** Makes screen readers read a text out once they are idle (`aria-live="polite"`). */
export const announce = (text: string): void => {
  // A no-break space changes the text, so that screen readers read a repeated message again.
  message.set(text === message.get() ? `${text}\u00A0` : text);
};

/** The live region of `announce`. `data-live-announcer` keeps it exposed while a modal dialog hides the rest. */
export const Announcer = () => (
  <p className="visually-hidden" aria-live="polite" aria-atomic="true" data-live-announcer="true">
    {useStore(message)}
  </p>
);
