import { focusSoon } from '../components/focus-soon.ts';

const onScreen = (selector: string): HTMLElement | undefined =>
  // Pages that are kept, but hidden, may have the same.
  [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());

/** The focus goes to the record after the one that has ended, else to the one before it, else to the title. */
export const focusAfterEnding = (list: readonly { id: string }[], endedId?: string): void => {
  const at = list.findIndex(({ id }) => id === endedId);
  const next = at < 0 ? undefined : (list[at + 1] ?? list[at - 1]);
  focusSoon(() => (next && onScreen(`[data-record="${CSS.escape(next.id)}"] button`)) ?? onScreen('h1'));
};
