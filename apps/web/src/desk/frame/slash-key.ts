import { useEffect } from 'react';
import { createStore } from '../../shell/store.ts';

const KEY = 'desk-slash';

const read = (): boolean => {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
};

/** Whether the key / leads to the search. Who speaks to the computer can switch it off (WCAG 2.1.4). */
export const slashKey = createStore(read());

export const switchSlashKey = (on: boolean): void => {
  slashKey.set(on);
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off');
  } catch {
    // The choice lasts as long as the page.
  }
};

/** Whether a key that is pressed there is a character of a text. */
const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

/** Runs an action at the key /, unless it is typed into a field, or a dialog is open. */
export const useSlashKey = (action: () => void): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target, altKey, ctrlKey, metaKey, isComposing } = event;
      if (key !== '/' || altKey || ctrlKey || metaKey || isComposing || !slashKey.get()) return;
      if (takesText(target) || document.querySelector('[role=dialog], [role=alertdialog]')) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [action]);
};
